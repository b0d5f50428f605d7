import type { Random } from '@octavo/model'
import type { CommitReceipt } from '@octavo/protocol'
import { readReceipt } from '../../../src/write/commit/commit-statements.ts'
import type { TestStore } from '../open-test-store.ts'
import { checkLatestWalk, checkSnapshotWalk } from './check-walk.ts'
import type { CommitLedger } from './commit-ledger.ts'
import type { ModelledType } from './modelled-type.ts'
import type { Attempt, CrashTally } from './crash-tally.ts'
import { walkLatest, walkSnapshot } from './walk-pages.ts'
import { pruneStaged } from '../../../src/upkeep/prune/prune-staged.ts'

const earlierVersions = 4

interface AfterCrash {
  readonly store: TestStore
  readonly types: readonly ModelledType[]
  readonly ledger: CommitLedger
  readonly random: Random
  readonly tally: CrashTally
  readonly acknowledged: readonly { readonly attempt: Attempt; readonly receipt: CommitReceipt }[]
}

/** Nothing is written during the check, and nothing was pruned: every version must be there, complete. */
export async function checkAfterCrash(after: AfterCrash): Promise<void> {
  const { store, types, ledger, tally, acknowledged } = after
  for (const { attempt, receipt } of acknowledged) {
    const found = await receiptOfKey(store, attempt)
    if (found === undefined || found === 'partly' || found.version !== receipt.version) {
      tally.differences.push(`version ${receipt.version} was acknowledged and is not there whole`)
    }
  }
  tally.differences.push(...ledger.wrongReceipts())
  for (const modelled of types) {
    tally.differences.push(...(await wrongCounts(store, modelled)))
    await checkWalks(modelled, after)
  }
}

async function checkWalks(modelled: ModelledType, { store, random, tally }: AfterCrash): Promise<void> {
  const { type } = modelled
  const { readPage } = store
  const pageSize = () => random.integer(1, 200)
  const commits = await store.database.rows({
    text: `select version, tag from ${type.tables.commits} where object_type = $1 order by version`,
    values: [type.id],
  })
  const last = commits.at(-1)
  const earlier = Array.from(
    { length: earlierVersions },
    () => commits[random.integer(0, commits.length - 1)],
  )
  for (const commit of [last, ...earlier]) {
    const captured = { version: commit?.['version'] ?? '', tag: commit?.['tag'] ?? null }
    const order = random.pick(modelled.orders)
    const walk = await walkSnapshot({ readPage, modelled, order, pageSize, captured })
    if (walk.kind === 'gone') {
      tally.differences.push(`version ${captured.version} of ${type.apiName} is gone`)
      continue
    }
    tally.walks += 1
    tally.objects += walk.pages.reduce((sum, page) => sum + page.records.length, 0)
    const difference = checkSnapshotWalk(modelled, walk, order)
    if (difference !== undefined) tally.differences.push(difference.detail)
  }
  const difference = checkLatestWalk(modelled, await walkLatest({ readPage, modelled, order: [], pageSize }))
  if (difference !== undefined) tally.differences.push(difference.detail)
}

/** The live count is maintained by adding and subtracting; this counts the rows. */
async function wrongCounts(store: TestStore, { type }: ModelledType): Promise<readonly string[]> {
  const { clock, commits, current, staged } = type.tables
  // Batches that were being staged are lost with their writers: pruning removes all of them.
  await pruneStaged(store.database, type, 0)
  const [row] = await store.database.rows({
    text: `select k.version, k.live as clock_live, m.live as commit_live,
  (select max(version) from ${commits} where object_type = $1) as greatest,
  (select count(*) from ${current}) as counted, (select count(*) from ${staged}) as staged
from ${clock} k left join ${commits} m on m.object_type = k.object_type and m.version = k.version
where k.object_type = $1`,
    values: [type.id],
  })
  const counted = row?.['counted']
  const right =
    row?.['clock_live'] === counted &&
    row?.['commit_live'] === counted &&
    row?.['greatest'] === row?.['version'] &&
    row?.['staged'] === '0'
  return right ? [] : [`the counts of ${type.apiName} do not agree: ${JSON.stringify(row)}`]
}

/** The receipt that the database has for a commit's key, if all the commit's types have it. */
export async function receiptOfKey(
  { database }: TestStore,
  { parts, key }: Attempt,
): Promise<CommitReceipt | 'partly' | undefined> {
  const found = await Promise.all(parts.map(({ modelled }) => database.rows(readReceipt(modelled.type, key))))
  const rows = found.flat()
  const version = rows[0]?.['version']
  if (typeof version !== 'string') return undefined
  if (rows.length !== parts.length || rows.some((row) => row['version'] !== version)) return 'partly'
  const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0)
  return {
    version,
    committedAt: rows[0]?.['committed_at'] ?? '',
    created: sum('created'),
    updated: sum('updated'),
    deleted: sum('deleted'),
    unchanged: sum('unchanged'),
    replayed: false,
  }
}
