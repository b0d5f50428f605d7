// The public client of the API family that revision 1.0 belongs to, unmodified, as published.
import { OntologyObjects, Ontologies, ObjectTypes } from '@osdk/internal.foundry.ontologies'
import { createSharedClientContext } from '@osdk/shared.client.impl'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { items, loadItems } from '../../../test/support/load-items.ts'
import { serveOnFreshDatabase } from '../../../test/support/serve-on-fresh-database.ts'
import { testToken } from '../../../test/support/test-access.ts'
import { errorNamed } from '../../../test/support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
let rid = ''

beforeAll(async () => {
  await loadItems(service.store, service.ontology, 2_500)
  rid = service.ontology.rid
})

const clientWith = (token: string) =>
  createSharedClientContext(service.url, async () => token, 'octavo-tests')

it.for([undefined, 1_000, 999, 2_500])(
  'P4, P7, P9: walks 2,500 objects with the page size %s',
  async (pageSize) => {
    const client = clientWith(testToken)
    const ids: unknown[] = []
    let pages = 0
    let pageToken: string | undefined
    do {
      const page = await OntologyObjects.list(client, rid, 'items2500', {
        orderBy: 'properties.id:asc',
        properties: ['id', 'rank'],
        ...(pageSize !== undefined && { pageSize }),
        ...(pageToken !== undefined && { pageToken }),
      })
      expect(page.totalCount).toBe('2500')
      ids.push(...page.data.map(({ properties }) => properties['id']))
      pageToken = page.nextPageToken
      pages += 1
    } while (pageToken !== undefined)
    expect(ids).toEqual(items(2_500).map(({ id }) => id))
    expect(pages).toBe(3)
  },
)

it('P72, P73, P74: reads ontologies, object types and one object', async () => {
  const client = clientWith(testToken)
  expect((await Ontologies.list(client)).data.map((ontology) => ontology.rid)).toEqual([rid])
  const type = await ObjectTypes.get(client, rid, 'items2500')
  expect(type.primaryKey).toEqual(['id'])
  const object = await OntologyObjects.get(client, rid, 'items2500', 'i000042', { properties: [] })
  expect(object.properties).toMatchObject({ id: 'i000042' })
})

it('P102, P103, P115: its error carries our name, code, parameters and instance id', async () => {
  const client = clientWith(testToken)
  const all = { properties: [] }
  const failure = async (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    )
  expect(await failure(OntologyObjects.list(client, rid, 'nothing', all))).toMatchObject({
    constructor: expect.objectContaining({ name: 'PalantirApiError' }) as unknown,
    errorName: 'ObjectTypeNotFound',
    errorCode: 'NOT_FOUND',
    statusCode: 404,
    errorInstanceId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    parameters: { objectType: 'nothing' },
  })
  expect(
    await failure(OntologyObjects.list(client, rid, 'items2500', { ...all, pageToken: 'forged' })),
  ).toMatchObject(errorNamed('InvalidPageToken', { reason: 'malformed' }))
  expect(
    await failure(OntologyObjects.list(clientWith('of-somebody-else'), rid, 'items2500', all)),
  ).toMatchObject({ errorName: 'Default:Unauthorized', statusCode: 401 })
})
