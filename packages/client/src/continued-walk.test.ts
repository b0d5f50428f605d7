// A walk whose state is gone continues in the latest one (P246, P247).
import { expect, it } from 'vitest'
import {
  failureOf,
  keysOf,
  numberedPages,
  scriptedServer,
  type Asked,
  type Scripted,
} from '../test/support/scripted-server.ts'
import type { Change, Difference, FoundObject } from './index.ts'

const continueWith = {
  fromSnapshotToken: 's1',
  toSnapshotToken: 's2',
  changesPageToken: 'c1',
  pageToken: 't5',
}
const gone = (parameters: object = { continueWith }): Scripted => ({
  status: 409,
  body: { errorCode: 'CONFLICT', errorName: 'ConsistentSnapshotError', parameters },
})
const expired: Scripted = {
  status: 400,
  body: { errorName: 'InvalidPageToken', parameters: { reason: 'expired', continueWith } },
}
const put = (primaryKey: string) => ({
  type: 'put',
  primaryKey,
  object: { primaryKey, properties: { name: 'new' } },
})
const changes = ({ pageToken }: Asked): Scripted => ({
  body: {
    fromVersion: '1',
    toVersion: '2',
    ...(pageToken === 'c1'
      ? { data: [put('2')], nextPageToken: 'c2' }
      : { data: [{ type: 'delete', primaryKey: '3', reason: 'deleted' }], snapshotToken: 's2' }),
  },
})

/** Pages of two objects each, six in all by their count; what comes after the second page is refused. */
const server = (refusal: Scripted, answerChanges: (asked: Asked) => Scripted = changes) =>
  scriptedServer((asked) => {
    if (asked.url.pathname.endsWith('/changes')) return answerChanges(asked)
    if (asked.pageToken === 't3') return refusal
    const { body } = numberedPages(6)(asked)
    const isLater = (asked.pageToken ?? '') >= 't5'
    const version = { version: isLater ? '2' : '1', totalCount: isLater ? '11' : '12' }
    return { body: { ...(body as object), ...version } }
  })

const options = (take: (change: Change<FoundObject>) => void) =>
  ({ snapshot: true, onSnapshotGone: 'continue', onContinue: taking(take), readAhead: 2 }) as const
const taking =
  (take: (change: Change<FoundObject>) => void) =>
  async (difference: Difference<FoundObject>): Promise<void> => {
    for await (const change of difference) take(change)
  }

it.for([
  ['its state is gone', gone()],
  ['its page token has expired', expired],
] as const)('reports what has changed and continues when %s', async ([, refusal]) => {
  const { client, asked } = await server(refusal)
  const seen: string[] = []
  const reported: Change<FoundObject>[] = []
  const walk = client()
    .family('f')
    .objects('o')
    .all({
      ...options((change) => {
        reported.push(change)
        seen.push(change.type)
      }),
      select: ['name'],
      pageSize: 2,
    })
  for await (const { primaryKey } of walk) seen.push(primaryKey)
  expect(seen).toEqual(['1', '2', '3', '4', 'put', 'delete', '9', '10', '11', '12'])
  expect(reported).toEqual([
    { type: 'put', primaryKey: '2', object: { primaryKey: '2', properties: { name: 'new' } } },
    { type: 'delete', primaryKey: '3', reason: 'deleted' },
  ])
  expect(walk.continuations).toBe(1)
  const first = asked.find(({ url }) => url.pathname === '/api/f/v1/objects/types/o/changes')
  expect(first?.body).toEqual({
    fromSnapshotToken: 's1',
    toSnapshotToken: 's2',
    pageToken: 'c1',
    select: ['name'],
    pageSize: 2,
  })
})

it('names the new state in the requests that follow, if it has named one before', async () => {
  const { client, asked } = await server(gone())
  await keysOf(
    client()
      .family('f')
      .objects('o')
      .all({ ...options(() => {}), snapshotToken: 's1' }),
  )
  const tokens = asked
    .filter(({ url }) => url.pathname.endsWith('/search'))
    .map(({ pageToken, body }) => [pageToken, body['snapshotToken']])
  expect(tokens).toContainEqual(['t2', 's1'])
  expect(tokens.filter(([pageToken]) => pageToken === 't5' || pageToken === 't6')).toEqual([
    ['t5', 's2'],
    ['t6', 's2'],
  ])
})

it('stays where it is if the changes cannot be delivered, and delivers all of them the next time', async () => {
  const { client } = await server(gone())
  const reported: string[] = []
  let fails = true
  const walk = client()
    .family('f')
    .objects('o')
    .all(
      options(({ primaryKey }) => {
        reported.push(primaryKey)
        if (primaryKey === '3' && fails) throw new Error('the disk is full')
      }),
    )
  const failure = await failureOf(keysOf(walk))
  expect(failure.message).toBe('the disk is full')
  const saved = walk.save()
  fails = false
  expect(await keysOf(walk)).toEqual(['9', '10', '11', '12'])
  expect(reported).toEqual(['2', '3', '2', '3'])
  const resumed = client().resume(saved, { onSnapshotGone: 'continue', onContinue: taking(() => {}) })
  expect(await keysOf(resumed)).toEqual(['9', '10', '11', '12'])
})

it('fails if the service cannot say how to continue, or refuses the changes, or never makes progress', async () => {
  const walkOf = async (scripted: ReturnType<typeof server>) =>
    failureOf(
      keysOf(
        (await scripted)
          .client()
          .family('f')
          .objects('o')
          .all(options(() => {})),
      ),
    )
  expect(await walkOf(server(gone({})))).toMatchObject({ errorName: 'ConsistentSnapshotError' })
  const refused: Scripted = {
    status: 409,
    body: { errorName: 'ChangesExpired', parameters: { objectType: 'o', reason: 'tooOld' } },
  }
  expect(await walkOf(server(gone(), () => refused))).toMatchObject({ errorName: 'ChangesExpired' })
  // Every time, the state in which it would continue is gone before its changes are read.
  expect(await walkOf(server(gone(), () => gone({})))).toMatchObject({ errorName: 'ConsistentSnapshotError' })
  const again = gone({ continueWith: { ...continueWith, pageToken: 't3' } })
  expect(await walkOf(server(again))).toMatchObject({ errorName: 'ConsistentSnapshotError' })
})

it('fails if the changes were not all read', async () => {
  const { client } = await server(gone())
  const walk = client()
    .family('f')
    .objects('o')
    .all({ ...options(() => {}), onContinue: () => {} })
  expect(await failureOf(keysOf(walk))).toMatchObject({ errorName: 'UnfinishedDifference' })
})

it('is refused at once where it could not work', async () => {
  const { client } = await scriptedServer(numberedPages(1))
  const objects = client().family('f').objects('o')
  const whole = options(() => {})
  expect(() => objects.all({ snapshot: true, onSnapshotGone: 'continue' })).toThrow('belong together')
  expect(() => objects.all({ snapshot: true, onContinue: () => {} })).toThrow('belong together')
  const others = [
    () => objects.all({ ...whole, snapshot: false }),
    () => objects.all({ ...whole, orderBy: [{ field: 'name' }] }),
    () => objects.search((q) => q.eq('name', 'Ada'), whole),
  ]
  for (const other of others) expect(other).toThrow('all objects in the order of the key')
  const list = client().ontology('ri').objects('o')
  expect(() => list.all({ onSnapshotGone: 'continue' as never })).toThrow('only a walk of an API family')
  const failure = await failureOf(objects.all(whole).toArray())
  expect(failure).toMatchObject({ errorName: 'InvalidOption' })
})
