import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { jsonBody, listing, searching } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { askForPage } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'

const service = forAllTests(() =>
  serveOnFreshDatabase({
    environment: {
      OCTAVO_OFFICIAL_CLIENTS: 'false',
      OCTAVO_MCP: 'false',
      OCTAVO_SUBSCRIPTIONS: 'true',
      OCTAVO_OIDC_ISSUER: 'http://127.0.0.1:9',
      OCTAVO_OIDC_AUDIENCE: 'octavo',
      OCTAVO_OAUTH_PUBLIC_URL: 'http://127.0.0.1:9',
      OCTAVO_OAUTH_REDIRECT_URIS: 'http://127.0.0.1:9/',
    },
  }),
)
const { collection } = withItems(service, 5, 'item')

it.each([
  ['/api/v2/ontologies', {}],
  ['/api/v2/ontologies/promised/objectSets/loadObjects', jsonBody({})],
  ['/api/v2/ontologySubscriptions/ontologies/promised/streamSubscriptions', {}],
  ['/multipass/api/oauth2/authorize', {}],
  ['/mcp', jsonBody({})],
])('P414: %s of a wing that is left out is as unknown as any path', async (path, init) => {
  const [answer, unknown] = await Promise.all(
    [path, '/api/unknown'].map((each) => answerOf(service, each, init)),
  )
  const { errorInstanceId: _, ...error } = JSON.parse(answer?.text ?? '')
  expect(answer?.status).toBe(404)
  expect(JSON.parse(unknown?.text ?? '')).toMatchObject(error)
})

it.each([listing, searching])('P414: revision $name is served without the wings', async (revision) => {
  const { status, text } = await askForPage(service, revision, collection, {})
  expect(status).toBe(200)
  expect(JSON.parse(text).data).toHaveLength(5)
})
