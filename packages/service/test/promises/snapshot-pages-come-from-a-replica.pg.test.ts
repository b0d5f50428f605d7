import { setTimeout as sleep } from 'node:timers/promises'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeEach, expect, it } from 'vitest'
import { collectionOf, itemDefinition, itemId, putItems } from '../support/load-items.ts'
import { searching } from '../support/page-revisions.ts'
import { putObject } from '../support/put-object.ts'
import { askServer, serveWithStandby } from '../support/serve-with-standby.ts'
import { readPage, walkOverHttp } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'

const count = 60

const service = forAllTests(serveWithStandby)
const { type, collection } = withItems(service, count, 'item')

beforeEach(async () => {
  await caughtUp()
  service.replicaOutcomes()
})

async function caughtUp(): Promise<void> {
  const [at] = await askServer(service.primary, 'select pg_current_wal_lsn()::text as lsn')
  const arrived = `select pg_last_wal_replay_lsn() >= '${at?.['lsn']}' as arrived`
  await expect.poll(() => askServer(service.standby, arrived)).toEqual([{ arrived: 't' }])
}

const readsOf = (pageSize: number, snapshot: boolean) =>
  walkOverHttp(service, searching, collection, { pageSize: () => pageSize, snapshot })

const ranked = async (rank: number): Promise<string> => {
  const changes = Array.from({ length: count }, (_, i) => putObject(type, { id: itemId(i), rank }))
  return (await service.store.commit({ parts: [{ type, changes }] })).version
}

const pausing = async (work: () => Promise<void>): Promise<void> => {
  await askServer(service.standby, 'select pg_wal_replay_pause()')
  try {
    await work()
  } finally {
    await askServer(service.standby, 'select pg_wal_replay_resume()')
  }
}

it('P172: pages of a snapshot walk after the first are read from a replica that has its version', async () => {
  const walk = await readsOf(10, true)
  expect(walk.records).toHaveLength(count)
  expect(service.replicaOutcomes()).toEqual(['read', 'read', 'read', 'read', 'read'])
  const last = await askServer(
    service.standby,
    "select query from pg_stat_activity where application_name = 'octavo'",
  )
  expect(last.map(({ query }) => query).join()).toContain(type.tables.current)
})

it('P172: pages of a walk that is not one of a snapshot are read from the primary', async () => {
  expect((await readsOf(10, false)).records).toHaveLength(count)
  expect(service.replicaOutcomes()).toEqual([])
})

it('P172: a replica that has not reached the version is not used, and is tried again later', async () => {
  await pausing(async () => {
    const version = await ranked(1_001)
    const walk = await readsOf(10, true)
    expect(walk.pages.map((page) => page.version)).toEqual(Array.from({ length: 6 }, () => version))
    expect(walk.records.map(({ properties }) => properties['rank'])).toEqual(
      Array.from({ length: count }, () => 1_001),
    )
    const outcomes = service.replicaOutcomes()
    expect(outcomes).toContain('behind')
    expect(outcomes).not.toContain('read')
  })
  await caughtUp()
  await sleep(300)
  await readsOf(10, true)
  expect(service.replicaOutcomes()).toEqual(['read', 'read', 'read', 'read', 'read'])
})

it('a version that a replica has is read from it, although it lacks newer ones', async () => {
  const before = await ranked(1_002)
  const first = await readPage(service, searching, collection, { pageSize: 10, snapshot: true })
  await caughtUp()
  await pausing(async () => {
    await ranked(1_003)
    const second = await readPage(service, searching, collection, {
      pageSize: 10,
      snapshot: true,
      pageToken: first.nextPageToken,
    })
    expect(second.version).toBe(before)
    expect(second.data.map(({ properties }) => properties['rank'])).toEqual(
      Array.from({ length: 10 }, () => 1_002),
    )
    expect(service.replicaOutcomes()).toEqual(['read'])
  })
})

it('a definition that has not arrived yet, or a table, makes no difference to a page', async () => {
  await pausing(async () => {
    const definition = itemDefinition('late')
    const late = await service.store.applyObjectType(service.ontology, definition)
    await putItems(service.store, late, [
      { id: 'a', rank: 1 },
      { id: 'b', rank: 2 },
    ])
    const walkLate = () =>
      walkOverHttp(service, searching, collectionOf(service.ontology, late), {
        pageSize: () => 1,
        snapshot: true,
      })
    expect((await walkLate()).records.map(({ properties }) => properties['rank'])).toEqual([1, 2])
    await service.store.applyObjectType(service.ontology, {
      ...definition,
      properties: { ...definition.properties, more: { type: 'string' } },
    })
    expect((await walkLate()).records.map(({ properties }) => properties['rank'])).toEqual([1, 2])
    expect(service.replicaOutcomes()).not.toContain('read')
  })
})

it('a replica that is lost costs no page, and is used again when it is back', async () => {
  // By then the service has discarded what it learned of the replica in the previous test.
  await sleep(5_100)
  await readsOf(10, true)
  expect(service.replicaOutcomes()).toContain('read')
  await service.standby.kill()
  for (let walks = 0; walks < 3; walks += 1) expect((await readsOf(10, true)).records).toHaveLength(count)
  expect(service.replicaOutcomes()).toContain('failed')
  await service.standby.start()
  await expect
    .poll(
      async () => {
        expect((await readsOf(10, true)).records).toHaveLength(count)
        return service.replicaOutcomes()
      },
      { interval: 500 },
    )
    .toContain('read')
})

it('P172: walks under continuous commits are exact, wherever their pages come from', async () => {
  const states = new Map<string, readonly number[]>()
  const random = (below: number) => Math.floor(Math.random() * below)
  let state: readonly number[] = Array.from({ length: count }, () => 1)
  const commit = async () => {
    const changed = new Map(Array.from({ length: 1 + random(20) }, () => [random(count), random(1_000)]))
    const changes = [...changed].map(([i, rank]) => putObject(type, { id: itemId(i), rank }))
    const { version } = await service.store.commit({ parts: [{ type, changes }] })
    state = state.map((rank, i) => changed.get(i) ?? rank)
    states.set(version, state)
  }
  states.set(await ranked(1), state)
  const outcomes = { read: 0, behind: 0, failed: 0 }
  const walks: { readonly version: string; readonly ranks: readonly unknown[] }[] = []
  const endsAt = performance.now() + 45_000
  const isEnough = () => walks.length >= 40 && outcomes.read >= 50 && outcomes.behind >= 5
  const running = () => !isEnough() && performance.now() < endsAt
  const write = async () => {
    while (running()) await commit()
  }
  const pause = async () => {
    while (running()) {
      await sleep(random(300))
      await pausing(() => sleep(random(400)))
    }
  }
  const walk = async () => {
    while (running()) {
      const { pages, records } = await walkOverHttp(service, searching, collection, {
        pageSize: () => 1 + random(20),
        snapshot: true,
        afterPage: () => sleep(random(60)),
      })
      walks.push({
        version: pages[0]?.version ?? '',
        ranks: records.map(({ properties }) => properties['rank']),
      })
      for (const outcome of service.replicaOutcomes()) outcomes[outcome] += 1
    }
  }
  await Promise.all([write(), pause(), ...Array.from({ length: 4 }, walk)])
  for (const { version, ranks } of walks) expect(ranks).toEqual(states.get(version))
  expect({ isEnough: isEnough(), ...outcomes }).toMatchObject({ isEnough: true })
})
