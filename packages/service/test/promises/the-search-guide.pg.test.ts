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

interface Block {
  readonly kind: string
  readonly text: string
  /** The line after the request. */
  readonly says: string
}

const blocks: readonly Block[] = [...guide.matchAll(/^```(.+)\n([^]*?)^```\n\n(.*)$/gm)].map(
  ([, kind = '', text = '', says = '']) => ({ kind, text, says }),
)
const textOf = (kind: string) => blocks.find((block) => block.kind === kind)?.text ?? ''
const requests = blocks.filter(({ kind }) => kind === 'json' || kind === 'http')

const service = forAllTests(serveOnFreshDatabase)

beforeAll(async () => {
  const definition = JSON.parse(textOf('json definition')) as ObjectTypeDefinition
  const type = await service.store.applyObjectType(service.ontology, definition)
  const lines = textOf('ndjson objects').trim().split('\n')
  await putItems(
    service.store,
    type,
    lines.map((line) => JSON.parse(line) as object),
  )
})

it.each(requests)('the guide is right about $text', async ({ kind, text, says }) => {
  const answer =
    kind === 'json'
      ? await answerOf(service, '/api/promised/v1/objects/types/book/search', jsonBody(text))
      : await answerOf(
          service,
          `/api/v1/ontologies/${service.ontology.rid}${text.trim().replace('GET ', '')}`,
        )
  const refused = /^Refused with `(\w+)`/.exec(says)?.[1]
  if (refused !== undefined) {
    expect(refusalOf(answer).errorName).toBe(refused)
    return
  }
  expect(answer.status, answer.text).toBe(200)
  const { data, totalCount } = JSON.parse(answer.text) as WirePage
  expect(`Finds ${data.length}.`).toBe(says)
  if (kind === 'http') expect(totalCount).toBe(String(data.length))
})

it('the guide has a request for every operator', () => {
  for (const type of queryTypes) expect(guide).toContain(`"type": "${type}"`)
  for (const operator of Object.keys(propertyFilterOperators))
    expect(guide).toMatch(new RegExp(`^GET .*\\.${operator}=`, 'm'))
})
