// docs/build/searching.md: the test stores its objects, sends its requests, and checks what it says about the answers.
import { readFileSync } from 'node:fs'
import { propertyFilterOperators, queryTypes, type ObjectTypeDefinition } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { putItems } from '../support/load-items.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import type { WirePage } from '../support/walk-over-http.ts'

const guide = readFileSync(new URL('../../../../docs/build/searching.md', import.meta.url), 'utf8')

const blockOf = (kind: string): string =>
  new RegExp(`^\`\`\`${kind}\n([^]*?)^\`\`\`$`, 'm').exec(guide)?.[1] ?? ''

interface Request {
  /** The body of a search, or the parameters of a list. */
  readonly text: string
  /** The number of objects, or `refused`. */
  readonly finds: string
}

const inBlocks: readonly Request[] = [...guide.matchAll(/^```json\n([^]*?)^```\n\nFinds (\d+)\.$/gm)].map(
  ([, text = '', finds = '']) => ({ text, finds }),
)
const inTables: readonly Request[] = [
  ...guide.matchAll(/^\|.*`(\{ .*\}|\?.*)` *\| (\d+|refused) *\|$/gm),
].map(([, text = '', finds = '']) => ({ text: text.startsWith('?') ? text : `{ "query": ${text} }`, finds }))
const requests = [...inBlocks, ...inTables]

const service = forAllTests(serveOnFreshDatabase)

beforeAll(async () => {
  const definition = JSON.parse(blockOf('json definition')) as ObjectTypeDefinition
  const type = await service.store.applyObjectType(service.ontology, definition)
  const lines = blockOf('ndjson objects').trim().split('\n')
  await putItems(
    service.store,
    type,
    lines.map((line) => JSON.parse(line) as object),
  )
})

it.each(requests)('the guide is right about $text', async ({ text, finds }) => {
  const isList = text.startsWith('?')
  const answer = isList
    ? await answerOf(service, `/api/v1/ontologies/${service.ontology.rid}/objects/book${text}`)
    : await answerOf(service, '/api/promised/v1/objects/types/book/search', jsonBody(text))
  if (finds === 'refused') {
    expect(guide).toContain(`refused with \`${refusalOf(answer).errorName}\``)
    return
  }
  expect(answer.status, answer.text).toBe(200)
  const { data, totalCount } = JSON.parse(answer.text) as WirePage
  expect(String(data.length)).toBe(finds)
  if (isList) expect(totalCount).toBe(finds)
})

it('the guide has a request for every operator', () => {
  const sent = requests.map(({ text }) => text).join('\n')
  for (const type of queryTypes) expect(sent).toContain(`"type": "${type}"`)
  for (const operator of Object.keys(propertyFilterOperators)) expect(sent).toMatch(`.${operator}=`)
})
