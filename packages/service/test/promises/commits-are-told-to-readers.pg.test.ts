import { typeCommitsPageSchema, type TypeCommitsPage } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { letTimePass } from '../support/let-time-pass.ts'
import { itemDefinition } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { serveOnFreshDatabase, type PromisedService } from '../support/serve-on-fresh-database.ts'
import { startTestService } from '../support/start-test-service.ts'
import { contentOf } from '../support/walk-over-http.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

const pathOf = (type: string): string => `/api/promised/v1/objects/types/${type}/commits`
const isPage = Compile(typeCommitsPageSchema)

const pageOf = async (path: string): Promise<TypeCommitsPage> => {
  const page = await contentOf<TypeCommitsPage>(answerOf(service, path))
  expect(isPage.Check(page), JSON.stringify(page)).toBe(true)
  return page
}

it('P285: the commits of a type, with what each changed, page by page', async () => {
  const objectType = 'listed'
  await service.store.applyObjectType(service.ontology, itemDefinition(objectType))
  expect((await pageOf(pathOf(objectType))).data).toEqual([])
  const expected = []
  for (let rank = 0; rank < 7; rank += 1) {
    const lines = [put({ id: 'a', rank }), put({ id: `b${rank}`, rank }), remove(`b${rank - 2}`)]
    const { replayed, ...facts } = await manage.commit(lines, { objectType, key: `k${rank}` })
    expect(replayed).toBe(false)
    expected.unshift({ ...facts, totalCount: String(Math.min(rank + 2, 3)) })
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
  expect(data.at(-1)).toMatchObject({ created: 2, updated: 0, deleted: 0, unchanged: 1 })
  expect(data[0]).toMatchObject({ created: 1, updated: 1, deleted: 1, unchanged: 0 })
})

it('P285: it says from which commit on the states can be read', async () => {
  const type = await service.store.applyObjectType(service.ontology, itemDefinition('kept'))
  for (const rank of [1, 2]) await manage.commit([put({ id: 'a', rank })], { objectType: 'kept' })
  await letTimePass(service.store, type, 5_000)
  await manage.commit([put({ id: 'a', rank: 3 })], { objectType: 'kept' })
  await service.store.prune(type, { retentionSeconds: 3_600, settleSeconds: 0, commitsKeptSeconds: 1e6 })
  const { data, oldestReadable } = await pageOf(pathOf('kept'))
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
      (JSON.parse((await answerOf(asked, pathOf(objectType))).text) as TypeCommitsPage).data
    expect(await ask(other)).toMatchObject([
      { version: '1', created: 1, updated: 0, deleted: 0, unchanged: 0, totalCount: '1' },
    ])
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
  expect(await refused(pathOf('hiden'))).toMatchObject(
    errorNamed('ObjectTypeNotFound', { didYouMean: ['hidden'] }),
  )
  expect(await refused(`${pathOf('hidden')}?since=1`)).toMatchObject({ errorName: 'UnknownParameter' })
})
