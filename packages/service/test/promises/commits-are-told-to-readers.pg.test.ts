import { typeCommitsPageSchema, type TypeCommitsPage } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { letTimePass } from '../support/let-time-pass.ts'
import { itemDefinition } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { serveOnFreshDatabase, type PromisedService } from '../support/serve-on-fresh-database.ts'
import { startTestService } from '../support/start-test-service.ts'

let service: PromisedService
let manage: ReturnType<typeof manageOverHttp>

beforeAll(async () => {
  service = await serveOnFreshDatabase()
  manage = manageOverHttp(service)
})
afterAll(() => service.close())

const paths = {
  '1.0': (type: string) => `/api/v1/ontologies/${service.ontology.rid}/objectTypes/${type}/commits`,
  '2.0': (type: string) => `/api/promised/v1/objects/types/${type}/commits`,
}
const isPage = Compile(typeCommitsPageSchema)

const pageOf = async (path: string): Promise<TypeCommitsPage> => {
  const answer = await answerOf(service, path)
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  const page = JSON.parse(answer.text) as TypeCommitsPage
  expect(isPage.Check(page), answer.text).toBe(true)
  return page
}

it.for(Object.entries(paths))(
  'P285: in revision %s the commits of a type, with what each changed, page by page',
  async ([revision, pathOf]) => {
    const objectType = `told-${revision.charAt(0)}`
    await service.store.applyObjectType(service.ontology, itemDefinition(objectType))
    expect((await pageOf(pathOf(objectType))).data).toEqual([])
    const expected = []
    for (let rank = 0; rank < 7; rank += 1) {
      const lines = [put({ id: 'a', rank }), put({ id: `b${rank}`, rank }), remove(`b${rank - 2}`)]
      const {
        version,
        committedAt,
        put: puts,
        deleted,
      } = await manage.commit(lines, { objectType, key: `k${objectType}${rank}` })
      expected.unshift({
        version,
        committedAt,
        put: puts,
        deleted,
        totalCount: String(Math.min(rank + 2, 3)),
      })
    }
    const whole = await pageOf(pathOf(objectType))
    expect(whole.data).toEqual(expected)
    expect(whole.oldestReadable.version).toBe('0')
    let token = ''
    const data = []
    do {
      const page = await pageOf(`${pathOf(objectType)}?pageSize=3${token}`)
      data.push(...page.data)
      token = page.nextPageToken === undefined ? '' : `&pageToken=${page.nextPageToken}`
    } while (token !== '')
    expect(data).toEqual(expected)
  },
)

it('P285: it says from which commit on the states can be read', async () => {
  const type = await service.store.applyObjectType(service.ontology, itemDefinition('kept'))
  for (const rank of [1, 2]) await manage.commit([put({ id: 'a', rank })], { objectType: 'kept' })
  await letTimePass(service.store, type, 5_000)
  await manage.commit([put({ id: 'a', rank: 3 })], { objectType: 'kept' })
  await service.store.prune(type, { retentionSeconds: 3_600, settleSeconds: 0, commitsKeptSeconds: 1e6 })
  const { data, oldestReadable } = await pageOf(paths['2.0']('kept'))
  expect(data.map(({ version }) => version)).toEqual(['3', '2', '1'])
  expect(oldestReadable).toEqual({ version: '2', committedAt: data[1]?.committedAt })
})

it('P285: under a policy there are no counts, on every instance from the moment it holds', async () => {
  const objectType = 'hidden'
  const definition = {
    ...itemDefinition(objectType),
    properties: { id: { type: 'string' }, label: { type: 'string', searchable: true } },
    titleProperty: 'id',
  } as const
  await service.store.applyObjectType(service.ontology, definition)
  await manage.commit([put({ id: 'a', label: 'x' })], { objectType })
  const other = await startTestService({ databaseUrl: service.databaseUrl })
  try {
    const ask = async (asked: Pick<PromisedService, 'fetch'>) =>
      (JSON.parse((await answerOf(asked, paths['2.0'](objectType))).text) as TypeCommitsPage).data
    expect(await ask(other)).toMatchObject([{ version: '1', put: 1, deleted: 0, totalCount: '1' }])
    const policy = { type: 'eq', field: 'label', value: { claim: 'label' } } as const
    await service.store.applyObjectType(service.ontology, { ...definition, policy })
    for (const asked of [other, service]) {
      const [commit, ...more] = await ask(asked)
      expect(more).toEqual([])
      expect(Object.keys(commit ?? {})).toEqual(['version', 'committedAt'])
    }
  } finally {
    await other.close()
  }
})

it('P285: what is not a commit list is refused', async () => {
  const refused = async (path: string) => refusalOf(await answerOf(service, path))
  expect(await refused(paths['2.0']('hiden'))).toMatchObject({
    errorName: 'ObjectTypeNotFound',
    parameters: { didYouMean: ['hidden'] },
  })
  expect(await refused(`${paths['2.0']('hidden')}?since=1`)).toMatchObject({ errorName: 'UnknownParameter' })
})
