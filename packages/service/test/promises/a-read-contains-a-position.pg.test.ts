import { forAllTests } from '@octavo/dev-database/vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { itemTypes } from '../support/item-types.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { errorNamed } from '../support/named-errors.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)
const { newType } = itemTypes(() => service)

const move = (name: string, position: number, more: object = {}) => ({
  type: 'source',
  name,
  position: String(position),
  ...(position === 1 ? { order: 'integer' } : { previousPosition: String(position - 1) }),
  ...more,
})
const commit = (objectType: string, name: string, position: number) =>
  manage.commit([move(name, position), put({ id: `p${position}`, rank: position })], { objectType })

const family = '/api/promised/v1/objects/types'
const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const queryOf = (after: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(after as Record<string, string>).toString()

/** Each way to read, with what it says of the state that it read. */
const reads: Readonly<
  Record<string, (objectType: string, after: Readonly<Record<string, string | number>>) => Promise<Response>>
> = {
  list: (objectType, after) =>
    service.fetch(`/api/v1/ontologies/promised/objects/${objectType}?${queryOf(after)}`),
  'snapshot list': (objectType, after) =>
    service.fetch(`/api/v1/ontologies/promised/objects/${objectType}?snapshot=true&${queryOf(after)}`),
  search: (objectType, after) =>
    service.fetch(`${family}/${objectType}/search`, json({ query: { type: 'empty' }, ...after })),
  'filtered search': (objectType, after) =>
    service.fetch(
      `${family}/${objectType}/search`,
      json({ query: { type: 'gte', field: 'id', value: '' }, ...after }),
    ),
  'selected search': (objectType, after) =>
    service.fetch(
      `${family}/${objectType}/search`,
      json({ query: { type: 'empty' }, select: ['rank'], snapshot: true, ...after }),
    ),
  count: (objectType, after) => service.fetch(`${family}/${objectType}/count`, json(after)),
  'filtered count': (objectType, after) =>
    service.fetch(
      `${family}/${objectType}/count`,
      json({ query: { type: 'gte', field: 'id', value: '' }, ...after }),
    ),
  aggregate: (objectType, after) =>
    service.fetch(
      `${family}/${objectType}/aggregate`,
      json({ aggregation: [{ type: 'count' }, { type: 'max', field: 'rank' }], ...after }),
    ),
  object: (objectType, after) => service.fetch(`${family}/${objectType}/objects/p1?${queryOf(after)}`),
  'object of revision 1.0': (objectType, after) =>
    service.fetch(`/api/v1/ontologies/promised/objects/${objectType}/p1?${queryOf(after)}`),
  export: (objectType, after) => service.fetch(`${family}/${objectType}/export`, json(after)),
  partitions: (objectType, after) =>
    service.fetch(`${family}/${objectType}/partitions`, json({ partitionCount: 2, ...after })),
  snapshot: (objectType, after) =>
    service.fetch('/api/promised/v1/snapshots', json({ objectTypes: [objectType], ...after })),
  changes: async (objectType, after) => {
    const { snapshotToken } = (await (
      await service.fetch('/api/promised/v1/snapshots', json({ objectTypes: [objectType] }))
    ).json()) as { snapshotToken: string }
    return service.fetch(
      `${family}/${objectType}/changes`,
      json({ fromSnapshotToken: snapshotToken, ...after }),
    )
  },
}

describe.each(Object.keys(reads))('P439: %s', (name) => {
  const read = reads[name] ?? (() => Promise.reject(new Error(name)))
  const source = name.replaceAll(/[ .]/g, '-')

  it('is answered if the state contains the position, and refused if it does not', async () => {
    const objectType = await newType()
    await commit(objectType, source, 1)
    await commit(objectType, source, 2)
    for (const afterPosition of ['1', '2']) {
      expect((await read(objectType, { afterSource: source, afterPosition })).status).toBe(200)
    }
    const refused = await read(objectType, { afterSource: source, afterPosition: '3' })
    const { status, headers } = refused
    expect(refusalOf({ status, headers, text: await refused.text() })).toMatchObject(
      errorNamed('SourceBehind', {
        source,
        afterPosition: '3',
        stored: { name: source, generation: 1, position: '2' },
      }),
    )
  })

  it('waits until the position is there', async () => {
    const objectType = await newType()
    const waited = `${source}-waited`
    await commit(objectType, waited, 1)
    const begun = performance.now()
    const reading = read(objectType, { afterSource: waited, afterPosition: '2', waitSeconds: 20 })
    await sleep(300)
    await commit(objectType, waited, 2)
    const response = await reading
    expect(response.status).toBe(200)
    expect(await response.text()).not.toBe('')
    expect(performance.now() - begun).toBeLessThan(15_000)
  })
})

it('P439: what is read has the objects of the position', async () => {
  const objectType = await newType()
  await commit(objectType, 'mine', 1)
  for (let position = 2; position < 12; position += 1) {
    const after = { afterSource: 'mine', afterPosition: String(position), waitSeconds: 10 }
    const [page, stream, count] = await Promise.all([
      reads['search']?.(objectType, after),
      reads['export']?.(objectType, after),
      reads['count']?.(objectType, after),
      sleep(20).then(() => commit(objectType, 'mine', position)),
    ])
    expect(await page?.text()).toContain(`"p${position}"`)
    expect(await stream?.text()).toContain(`"p${position}"`)
    expect(await count?.json()).toMatchObject({ totalCount: String(position) })
  }
})

it('P443: a snapshot says at which position its state is', async () => {
  const objectType = await newType()
  await commit(objectType, 'shown', 1)
  await commit(objectType, 'shown', 2)
  const taken = await reads['snapshot']?.(objectType, { afterSource: 'shown', afterPosition: '1' })
  expect(await taken?.json()).toMatchObject({ source: { name: 'shown', generation: 1, position: '2' } })
})

it('P443: a walk keeps the position that it began with', async () => {
  const objectType = await newType()
  await commit(objectType, 'walk', 1)
  await commit(objectType, 'walk', 2)
  const body = {
    query: { type: 'empty' },
    pageSize: 1,
    snapshot: true,
    afterSource: 'walk',
    afterPosition: '2',
  }
  const first = (await (await service.fetch(`${family}/${objectType}/search`, json(body))).json()) as {
    nextPageToken: string
  }
  const next = { ...body, pageToken: first.nextPageToken }
  expect((await service.fetch(`${family}/${objectType}/search`, json(next))).status).toBe(200)
  await commit(objectType, 'walk', 3)
  const later = await answerOf(
    service,
    `${family}/${objectType}/search`,
    json({ ...next, afterPosition: '3' }),
  )
  expect(refusalOf(later)).toMatchObject(errorNamed('InvalidPageToken', { reason: 'requestChanged' }))
})

it('P440: a position of an earlier generation is contained in the next one', async () => {
  const objectType = await newType()
  await manage.commit([move('gen', 1), put({ id: 'a' })], { objectType })
  await manage.commit([move('gen', 2), put({ id: 'b' })], { objectType })
  const restored = { type: 'source', name: 'gen', generation: 2, previousPosition: '2', position: '1' }
  await manage.commit([restored, put({ id: 'c' })], { objectType })
  const ask = async (after: object) =>
    (await service.fetch(`${family}/${objectType}/count`, json({ afterSource: 'gen', ...after }))).status
  expect(await ask({ afterPosition: '2', afterGeneration: 1 })).toBe(200)
  expect(await ask({ afterPosition: '9', afterGeneration: 1 })).toBe(200)
  expect(await ask({ afterPosition: '1', afterGeneration: 2 })).toBe(200)
  expect(await ask({ afterPosition: '2', afterGeneration: 2 })).toBe(409)
  expect(await ask({ afterPosition: '1' })).toBe(200)
  expect(await ask({ afterPosition: '2' })).toBe(409)
  expect(await ask({ afterPosition: '1', afterGeneration: 3 })).toBe(409)
})

it.each([
  ['an unknown source', { afterSource: 'nobody', afterPosition: '1' }, 'SourceNotFound'],
  ['no source', { afterPosition: '1' }, 'Conjure:UnprocessableEntity'],
  ['no position', { afterSource: 'known' }, 'Conjure:UnprocessableEntity'],
  ['no position of its order', { afterSource: 'known', afterPosition: '0/1' }, 'InvalidParameterValue'],
  [
    'too long a wait',
    { afterSource: 'known', afterPosition: '1', waitSeconds: 31 },
    'Conjure:UnprocessableEntity',
  ],
  [
    'a state that is named',
    { afterSource: 'known', afterPosition: '1', snapshotToken: 'Ag' },
    'Conjure:UnprocessableEntity',
  ],
])('P439: %s is refused', async (_name, after, errorName) => {
  const objectType = await newType()
  if ((await manage.request('GET', 'sources/known')).status === 404) await commit(objectType, 'known', 1)
  const answer = await answerOf(service, `${family}/${objectType}/count`, json(after))
  expect(refusalOf(answer)).toMatchObject({ errorName })
})
