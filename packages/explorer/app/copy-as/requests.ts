// The request that is on the screen, for a shell or a program. The token is never part of it.
import type { OrderKey, Query } from '@octavo/client'

export interface ShownRequest {
  readonly url: string
  readonly family: string
  readonly type: string
  readonly query: Query | undefined
  readonly order: readonly OrderKey[]
  readonly select: readonly string[] | undefined
  readonly snapshotToken: string | undefined
}

/** For a shell: nothing in single quotes is special but their end. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const bodyOf = ({ query, order, select, snapshotToken }: ShownRequest) => ({
  query: query ?? { type: 'empty' },
  ...(order.length > 0 && { orderBy: { fields: order } }),
  ...(select !== undefined && { select }),
  ...(snapshotToken === undefined ? { snapshot: true } : { snapshotToken, snapshot: true }),
  pageSize: 1_000,
})

export const asCurl = (request: ShownRequest): string => {
  const path = `/api/${encodeURIComponent(request.family)}/v1/objects/types/${encodeURIComponent(request.type)}/search`
  return [
    'curl -H "Authorization: Bearer $OCTAVO_TOKEN" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d ${quoted(JSON.stringify(bodyOf(request)))} \\`,
    `  ${quoted(request.url + path)}`,
  ].join('\n')
}

export const asTypeScript = (request: ShownRequest): string => {
  const { url, family, type, query, order, select, snapshotToken } = request
  const options = {
    ...(snapshotToken === undefined ? { snapshot: true } : { snapshotToken }),
    ...(order.length > 0 && { orderBy: order }),
    ...(select !== undefined && { select }),
  }
  return [
    "import { createClient } from '@octavo/client'",
    '',
    `const client = createClient({ url: ${JSON.stringify(url)}, token: process.env.OCTAVO_TOKEN ?? '' })`,
    `const objects = client.family(${JSON.stringify(family)}).objects(${JSON.stringify(type)})`,
    `const query = ${JSON.stringify(query ?? { type: 'empty' })} as const`,
    `for await (const { properties } of objects.search(query, ${JSON.stringify(options)})) {`,
    '  console.log(properties)',
    '}',
  ].join('\n')
}

export const asCommand = ({ url, type, query, snapshotToken }: ShownRequest): string =>
  [
    `export OCTAVO_URL=${quoted(url)}`,
    [
      `octavo export ${quoted(type)}`,
      ...(query === undefined ? [] : [`--query ${quoted(JSON.stringify(query))}`]),
      ...(snapshotToken === undefined ? [] : [`--at ${quoted(snapshotToken)}`]),
      '--out objects.ndjson',
    ].join(' '),
  ].join('\n')
