import { createHash } from 'node:crypto'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { revisions } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { withItems } from '../support/with-items.ts'

const service = forAllTests(serveOnFreshDatabase)
// Its page is too large to be sent in one piece.
const { collection } = withItems(service, 2_000)

const send = async (
  revision: (typeof revisions)[number],
  pageSize: number,
  headers: Readonly<Record<string, string>>,
) => {
  const { path, init } = revision.call(collection, { pageSize })
  const response = await service.fetch(path, { ...init, headers: { ...init.headers, ...headers } })
  const body = Buffer.from(await response.arrayBuffer())
  return { headers: response.headers, body }
}

it.for(revisions.flatMap((revision) => [1, 1_000].map((pageSize) => [revision.name, pageSize] as const)))(
  'P151: a page of revision %s with %i objects carries the digest of its body when it is wanted',
  async ([name, pageSize]) => {
    const revision = revisions.find((each) => each.name === name)
    if (revision === undefined) throw new Error('no revision')
    for (const wanted of ['sha-256=1', 'sha-512=10, sha-256=3', 'sha-256']) {
      const { headers, body } = await send(revision, pageSize, { 'want-content-digest': wanted })
      const digest = createHash('sha256').update(body).digest('base64')
      expect(headers.get('content-digest')).toBe(`sha-256=:${digest}:`)
    }
    for (const other of [
      {},
      { 'want-content-digest': 'sha-256=0' },
      { 'want-content-digest': 'sha-512=1' },
    ]) {
      expect((await send(revision, pageSize, other)).headers.get('content-digest')).toBeNull()
    }
  },
)

it.for(['/api/v1/ontologies', '/api/promised/v1/objects/types', '/api/v1/nowhere'])(
  'P151: so does the answer of %s',
  async (path) => {
    const response = await service.fetch(path, { headers: { 'want-content-digest': 'sha-256=10' } })
    const body = Buffer.from(await response.arrayBuffer())
    const digest = createHash('sha256').update(body).digest('base64')
    expect(response.headers.get('content-digest')).toBe(`sha-256=:${digest}:`)
  },
)

it.for(revisions)('P152: an answer of revision $name has the id of its request', async (revision) => {
  expect((await send(revision, 1, { 'x-request-id': 'mine-1' })).headers.get('x-request-id')).toBe('mine-1')
  const made = (await send(revision, 1, {})).headers.get('x-request-id')
  expect(made).toMatch(/^[0-9a-f-]{36}$/)
  const refused = await service.fetch('/api/v1/nowhere', { headers: { 'x-request-id': 'mine-2' } })
  expect(refused.headers.get('x-request-id')).toBe('mine-2')
})
