import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { OctavoError, type WalkNotice } from '../index.ts'
import { failureOf, keysOf, numberedPages, scriptedServer } from '../../test/support/scripted-server.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1))

it('reads every object of every page, in order', async () => {
  const { client, asked } = await scriptedServer(numberedPages(5))
  expect(await keysOf(client().family('people').objects('person').all())).toEqual(upTo(10))
  expect(asked.map(({ pageToken }) => pageToken)).toEqual([undefined, 't2', 't3', 't4', 't5'])
})

it('repeats the request with the page token and nothing else', async () => {
  const { client, asked } = await scriptedServer(numberedPages(2))
  const people = client().family('people').objects('com.example.person')
  const options = {
    snapshot: true,
    select: ['name'],
    pageSize: 7,
    orderBy: [{ field: 'age', direction: 'desc' }],
  } as const
  await keysOf(people.search((q) => q.eq('name', 'Ada'), options))
  const body = {
    query: { type: 'eq', field: 'name', value: 'Ada' },
    pageSize: 7,
    snapshot: true,
    orderBy: { fields: [{ field: 'age', direction: 'desc' }] },
    select: ['name'],
  }
  expect(asked.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual(
    Array(2).fill('POST /api/people/v1/objects/types/com.example.person/search'),
  )
  expect(asked.map((each) => each.body)).toEqual([body, { ...body, pageToken: 't2' }])
})

it('lists through revision 1.0 with the same parameters on every page', async () => {
  const { client, asked } = await scriptedServer(numberedPages(2))
  const employees = client().ontology('ri.a').objects('employee')
  const options = {
    snapshot: true,
    select: ['id', 'name'],
    orderBy: [{ field: 'age' }],
    filters: { name: { eq: ['Ada', 'Alan'] }, age: { gte: 18 } },
  } as const
  for await (const page of employees.pages(options)) expect(page.data).toHaveLength(2)
  const first =
    'pageSize=1000&snapshot=true&orderBy=properties.age%3Aasc&properties=id%2Cname' +
    '&properties.name.eq=Ada&properties.name.eq=Alan&properties.age.gte=18'
  expect(asked.map(({ url }) => url.pathname + url.search)).toEqual([
    `/api/v1/ontologies/ri.a/objects/employee?${first}`,
    `/api/v1/ontologies/ri.a/objects/employee?${first}&pageToken=t2`,
  ])
})

it.each([
  [0, 1],
  [1, 2],
  [3, 4],
])(
  'with readAhead %i, a consumer that stands still on the first page has caused %i requests',
  async (readAhead, requests) => {
    const { client, asked } = await scriptedServer(numberedPages(9))
    const iterator = client().family('f').objects('o').all({ readAhead })[Symbol.asyncIterator]()
    await iterator.next()
    await vi.waitFor(() => expect(asked).toHaveLength(requests), 5_000)
    await sleep(50)
    expect(asked).toHaveLength(requests)
    // Reading on within the page requests nothing more, either.
    await iterator.next()
    await sleep(50)
    expect(asked).toHaveLength(requests)
  },
)

it('asks for the next page while the caller waits for this one, without reading further ahead', async () => {
  const { client, asked } = await scriptedServer(numberedPages(9))
  const pages = client().family('f').objects('o').pages()
  for (const page of [1, 2, 3]) {
    await pages.next()
    await vi.waitFor(() => expect(asked).toHaveLength(page + 1), 5_000)
    await sleep(50)
    expect(asked).toHaveLength(page + 1)
  }
})

it('several callers of next() get different objects, all of them', async () => {
  const { client } = await scriptedServer(numberedPages(3))
  const iterator = client().family('f').objects('o').all()[Symbol.asyncIterator]()
  const results = await Promise.all(Array.from({ length: 8 }, () => iterator.next()))
  expect(results.map(({ value }) => value?.primaryKey)).toEqual([...upTo(6), undefined, undefined])
})

it('several callers for pages get different ones', async () => {
  const { client } = await scriptedServer(numberedPages(2))
  const pages = client().family('f').objects('o').pages()
  const results = await Promise.all([pages.next(), pages.next(), pages.next()])
  expect(results.map(({ value }) => value?.data[0].primaryKey)).toEqual(['1', '3', undefined])
})

it('continues where a loop was left, object by object and page by page', async () => {
  const { client } = await scriptedServer(numberedPages(4, 3))
  const walk = client().family('f').objects('o').all()
  const seen: string[] = []
  for await (const { primaryKey } of walk) {
    seen.push(primaryKey)
    if (seen.length === 4) break
  }
  for await (const { data } of walk.pages()) {
    seen.push(...data.map(({ primaryKey }) => primaryKey))
    if (seen.length === 9) break
  }
  seen.push(...(await keysOf(walk)))
  expect(seen).toEqual(upTo(12))
  expect(await keysOf(walk)).toEqual([])
})

it('stays where it is when a page fails, and can be retried', async () => {
  let broken = true
  const { client } = await scriptedServer((asked) =>
    broken && asked.pageToken === 't3' ? { status: 500, body: 'no' } : numberedPages(4)(asked),
  )
  const walk = client().family('f').objects('o').all()
  const seen: string[] = []
  const read = async () => {
    for await (const { primaryKey } of walk) seen.push(primaryKey)
  }
  expect(await failureOf(read())).toBeInstanceOf(OctavoError)
  expect(seen).toEqual(upTo(4))
  broken = false
  await read()
  expect(seen).toEqual(upTo(8))
})

it('the first page alone is one request and does not move the walk', async () => {
  const { client, asked } = await scriptedServer(numberedPages(3))
  const walk = client().family('f').objects('o').all()
  expect(await walk.firstPage()).toEqual({
    data: [{ primaryKey: '1' }, { primaryKey: '2' }],
    nextPageToken: 't2',
  })
  await sleep(50)
  expect(asked).toHaveLength(1)
  expect(await keysOf(walk)).toEqual(upTo(6))
})

it('an empty collection is one empty page and no object', async () => {
  const { client } = await scriptedServer(() => ({ body: { data: [] } }))
  const objects = client().family('f').objects('o')
  expect(await keysOf(objects.all())).toEqual([])
  const pages: unknown[] = []
  for await (const page of objects.pages()) pages.push(page)
  expect(pages).toEqual([{ data: [] }])
})

it('P7, P9: takes pages of any length and fields that it does not know', async () => {
  const lengths = [1, 500, 2]
  const { client } = await scriptedServer(({ pageToken }) => {
    const page = Number(pageToken ?? 0)
    const data = Array.from({ length: lengths[page] ?? 0 }, (_, i) => ({
      primaryKey: `${page}-${i}`,
      more: true,
    }))
    return { body: { data, extra: {}, ...(page < 2 && { nextPageToken: String(page + 1) }) } }
  })
  expect(await keysOf(client().family('f').objects('o').all({ pageSize: 2 }))).toHaveLength(503)
})

it('ends at once when its signal is aborted, also within a page and while it waits', async () => {
  const { client } = await scriptedServer(async (asked) => {
    if (asked.pageToken === 't2') await sleep(5_000)
    return numberedPages(3)(asked)
  })
  const control = new AbortController()
  const walk = client().family('f').objects('o').all({ signal: control.signal })
  const iterator = walk[Symbol.asyncIterator]()
  await iterator.next()
  await iterator.next()
  const waiting = failureOf(iterator.next())
  control.abort(new Error('enough'))
  expect((await waiting).message).toBe('enough')

  const other = new AbortController()
  const within = client().family('f').objects('o').all({ signal: other.signal })[Symbol.asyncIterator]()
  await within.next()
  other.abort()
  expect((await failureOf(within.next())).name).toBe('AbortError')
})

it('P101: continues where a scan stopped without a match', async () => {
  const timedOut = (pageToken?: string) => ({
    status: 500,
    body: { errorCode: 'TIMEOUT', errorName: 'ScanTimedOut', parameters: pageToken ? { pageToken } : {} },
  })
  const { client, asked } = await scriptedServer(({ number }) => {
    if (number === 1) return timedOut()
    if (number === 2) return timedOut('s1')
    if (number === 3) return timedOut('s2')
    return { body: { data: [{ primaryKey: '1' }] } }
  })
  expect(await keysOf(client().family('f').objects('o').all())).toEqual(['1'])
  expect(asked.map(({ pageToken }) => pageToken)).toEqual([undefined, undefined, 's1', 's2'])
})

it('a snapshot that is gone ends the walk, or starts it again if that is wanted', async () => {
  let lost = 0
  const gone = {
    status: 409,
    body: { errorCode: 'CONFLICT', errorName: 'ConsistentSnapshotError', parameters: {} },
  }
  const server = (times: number) =>
    scriptedServer((asked) => {
      if (asked.pageToken !== 't3' || lost >= times) return numberedPages(3)(asked)
      lost += 1
      return gone
    })
  const once = await server(1)
  const objects = once.client().family('f').objects('o')
  const failure = await failureOf(keysOf(objects.all({ snapshot: true })))
  expect(failure.message).toContain("Start a new walk, or set onSnapshotGone: 'restart'")
  lost = 0
  const walk = objects.all({ snapshot: true, onSnapshotGone: 'restart' })
  expect(await keysOf(walk)).toEqual([...upTo(4), ...upTo(6)])
  expect(walk.restarts).toBe(1)
  lost = 0
  const always = await server(Number.POSITIVE_INFINITY)
  const never = always.client().family('f').objects('o').all({ snapshot: true, onSnapshotGone: 'restart' })
  expect(await failureOf(keysOf(never))).toMatchObject({ errorName: 'ConsistentSnapshotError' })
})

it('toArray returns the remaining objects, and throws rather than leave some out', async () => {
  const { client, asked } = await scriptedServer(numberedPages(3))
  const all = () => client().family('f').objects('o').all({ readAhead: 0 })
  const keys = async (objects: Promise<readonly { readonly primaryKey: string }[]>) =>
    (await objects).map(({ primaryKey }) => primaryKey)
  expect(await keys(all().toArray())).toEqual(upTo(6))
  expect(await keys(all().toArray({ limit: 6 }))).toEqual(upTo(6))
  const begun = all()
  for await (const { primaryKey } of begun) if (primaryKey === '3') break
  expect(await keys(begun.toArray({ limit: 3 }))).toEqual(['4', '5', '6'])
  const before = asked.length
  const failure = await failureOf(all().toArray({ limit: 3 }))
  expect(failure).toMatchObject({ errorName: 'TooManyObjects', parameters: { limit: 3 } })
  // It does not read what it will not return.
  expect(asked.length - before).toBe(2)
  for (const limit of [-1, 1.5, '3' as never]) {
    expect(await failureOf(all().toArray({ limit }))).toMatchObject({ errorName: 'InvalidOption' })
  }
})

it('toArray of a walk that started again has every object once', async () => {
  let lost = 0
  const { client } = await scriptedServer((asked) => {
    if (asked.pageToken !== 't3' || lost === 1) return numberedPages(3)(asked)
    lost += 1
    return { status: 409, body: { errorName: 'ConsistentSnapshotError', parameters: {} } }
  })
  const walk = client().family('f').objects('o').all({ snapshot: true, onSnapshotGone: 'restart' })
  const objects = await walk.toArray({ limit: 6 })
  expect(objects.map(({ primaryKey }) => primaryKey)).toEqual(upTo(6))
  expect(walk.restarts).toBe(1)
})

it.for([
  ['4', '9', ['changed']],
  ['4', '4', []],
  [undefined, undefined, []],
] as const)(
  'tells that others wrote during a walk from version %s to version %s: %j',
  async ([from, to, kinds]) => {
    const { client } = await scriptedServer((asked) => ({
      body: {
        ...(numberedPages(2)(asked).body as object),
        version: asked.pageToken === undefined ? from : to,
      },
    }))
    const notices: WalkNotice[] = []
    await keysOf(
      client()
        .family('f')
        .objects('o')
        .all({ onNotice: (notice) => notices.push(notice) }),
    )
    expect(notices.map(({ kind }) => kind)).toEqual(kinds)
    if (kinds.length > 0)
      expect(notices[0]).toMatchObject({
        fromVersion: '4',
        toVersion: '9',
        message: expect.stringContaining('snapshot: true'),
      })
  },
)

it.for([
  [{ totalCount: '10001' }, ['limit']],
  [{ totalCount: '10000', totalCountIsLowerBound: true }, ['limit']],
  [{ totalCount: '10000' }, []],
] as const)('tells that the limit of a list will end it: %j', async ([facts, kinds]) => {
  const { client } = await scriptedServer((asked) => ({
    body: { ...(numberedPages(2)(asked).body as object), ...facts },
  }))
  const notices: WalkNotice[] = []
  const onNotice = (notice: WalkNotice) => notices.push(notice)
  await client().ontology('ri.o').objects('o').all({ onNotice }).toArray({ limit: 100 })
  expect(notices.map(({ kind }) => kind)).toEqual(kinds)
})
