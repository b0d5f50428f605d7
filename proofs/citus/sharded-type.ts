// Decision 8, simulated: a type in buckets on several nodes, whose versions are published after the distributed commit. Every
// commit moves an amount from an object of one bucket to one of another, so the sum over all buckets is the same at every version.
import { setTimeout as sleep } from 'node:timers/promises'
import { startCitus } from '@octavo/dev-database'
import { Client } from 'pg'
import { expect, type Proof } from '../harness/prove.ts'

const buckets = [0, 1, 2, 3]
const objectsOfBucket = 2_000
const startAmount = 100
const constantSum = buckets.length * objectsOfBucket * startAmount
const objectsOfCommit = 100
const writers = 4
const readers = 4

/** Which version a walk reads at. `written` is what the design warns of: other nodes may not have committed it yet. */
type ReadAt = 'published' | 'written'

export const proveShardedType = (proof: Proof): Promise<void> =>
  proof.point('A type in buckets on several nodes is never torn at a published version', async () => {
    const seconds = proof.short ? 3 : 30
    const citus = await startCitus({ workers: 2, durable: true })
    try {
      await create(citus.url)
      const nodes = await nodesOfBuckets(citus.url)
      expect(nodes > 1, 'all buckets are on one node')
      const published = await walkUnderWriters(citus.url, seconds, 'published')
      const written = await walkUnderWriters(citus.url, seconds, 'written')
      proof.say(`read at the published version: ${published.torn} of ${published.walks} walks torn`)
      proof.say(`read at the written version: ${written.torn} of ${written.walks} walks torn`)
      const oneBucket = await commitRate(citus.url, seconds, [0])
      const allBuckets = await commitRate(citus.url, seconds, buckets)
      proof.say(
        `commits of ${objectsOfCommit} objects: ${oneBucket.toFixed(0)} a second in one bucket, ${allBuckets.toFixed(0)} over ${buckets.length} buckets on ${nodes} nodes`,
      )
      expect(published.torn === 0, `${published.torn} walks were torn at a published version`)
      expect(proof.short || written.torn > 0, 'nothing was torn at the written version: this shows nothing')
      return `0 of ${published.walks} walks torn; a commit over all buckets at ${(allBuckets / oneBucket).toFixed(2)} of the rate of one bucket`
    } finally {
      await citus.stop()
    }
  })

async function create(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('set citus.enable_schema_based_sharding = on')
    await client.query('create schema clock')
    await client.query('create table clock.clock (id int primary key, written bigint, published bigint)')
    await client.query('insert into clock.clock values (1, 0, 0)')
    for (const bucket of buckets) {
      await client.query(`create schema b${bucket}`)
      await client.query(`create table b${bucket}.current (pk int primary key, since bigint, amount bigint)`)
      await client.query(
        `create table b${bucket}.history (pk int, since bigint, until bigint, amount bigint, primary key (pk, since))`,
      )
      await client.query(
        `insert into b${bucket}.current select pk, 0, ${startAmount} from generate_series(1, ${objectsOfBucket}) pk`,
      )
    }
  })
}

async function nodesOfBuckets(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `select count(distinct nodename || nodeport::text) from citus_shards where table_name::text like 'b%.current'`,
    )
    return Number(rows[0]?.count)
  })
}

/** Objects of each bucket get or give an amount, in halves, so that nothing is gained or lost over all of them. */
async function commit(client: Client, number: number, touched: readonly number[]): Promise<void> {
  // Held until the version is published: the next writer must not begin before.
  await client.query('select pg_advisory_lock(1)')
  try {
    await client.query('begin')
    const { rows } = await client.query<{ written: string }>(
      'update clock.clock set written = written + 1 where id = 1 returning written',
    )
    const version = rows[0]?.written
    const each = objectsOfCommit / touched.length
    const first = (number * 37) % (objectsOfBucket - each)
    for (const [index, bucket] of touched.entries()) {
      const values = [version, first, first + each]
      await client.query(
        `insert into b${bucket}.history select pk, since, $1, amount from b${bucket}.current where pk > $2 and pk <= $3`,
        values,
      )
      const amount = touched.length === 1 ? 0 : index % 2 === 0 ? 1 : -1
      await client.query(
        `update b${bucket}.current set since = $1, amount = amount + ${amount} where pk > $2 and pk <= $3`,
        values,
      )
    }
    await client.query('commit')
    await client.query('update clock.clock set published = $1 where id = 1', [version])
  } finally {
    await client.query('select pg_advisory_unlock(1)')
  }
}

async function readVersion(client: Client, readAt: ReadAt): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string }>(
    `select ${readAt} as version from clock.clock where id = 1`,
  )
  return rows[0]?.version
}

async function sumAt(client: Client, version: string | undefined): Promise<number> {
  let sum = 0
  for (const bucket of buckets) {
    const part = await client.query<{ sum: string }>(
      `select sum(amount) from (
  select amount from b${bucket}.current where since <= $1
  union all select amount from b${bucket}.history where since <= $1 and until > $1) at_version`,
      [version],
    )
    sum += Number(part.rows[0]?.sum)
  }
  return sum
}

interface Walks {
  readonly walks: number
  readonly torn: number
}

async function walkUnderWriters(url: string, seconds: number, readAt: ReadAt): Promise<Walks> {
  let walks = 0
  let torn = 0
  const read = (stopped: () => boolean): Promise<void> =>
    withClient(url, async (client) => {
      let last: string | undefined
      while (!stopped()) {
        // A walk begins as soon as there is a new version: that is the moment when it could be torn.
        const version = await readVersion(client, readAt)
        if (version === last) continue
        last = version
        if ((await sumAt(client, version)) !== constantSum) torn += 1
        walks += 1
      }
    })
  await whileWriting(url, seconds, buckets, async (stopped) => {
    await Promise.all(Array.from({ length: readers }, () => read(stopped)))
  })
  return { walks, torn }
}

async function commitRate(url: string, seconds: number, touched: readonly number[]): Promise<number> {
  const commits = await whileWriting(url, seconds, touched, () => Promise.resolve())
  return commits / seconds
}

/** The number of commits that were made while `beside` ran. */
async function whileWriting(
  url: string,
  seconds: number,
  touched: readonly number[],
  beside: (stopped: () => boolean) => Promise<void>,
): Promise<number> {
  let commits = 0
  let isOver = false
  const stopped = (): boolean => isOver
  const write = (): Promise<void> =>
    withClient(url, async (client) => {
      while (!stopped()) await commit(client, (commits += 1), touched)
    })
  const working = Promise.all([...Array.from({ length: writers }, write), beside(stopped)])
  await Promise.race([sleep(seconds * 1_000), working])
  isOver = true
  await working
  return commits
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
