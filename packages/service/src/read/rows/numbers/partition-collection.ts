import type { Filter } from '../../../catalog/filter/filter.ts'
import type { ObjectType } from '../../../catalog/object-type.ts'
import type { Database, Reader, Row } from '../../../postgres/database.ts'
import { storedRelation } from '../../../postgres/stored-relation.ts'
import type { PointInTime } from '../../plan/page-plan.ts'
import { compileEndsQuery } from '../../sql/compile-ends-query.ts'
import { askClock, type PageClock } from '../state/page-clock.ts'
import type { Total } from './count-matches.ts'

/** A partition of the collection as it is now, as far as it was looked at. */
interface Partition {
  /** The last key of the partition; undefined for the last partition, so that all that comes after it belongs to it. */
  readonly end: string | undefined
  /** Roughly what share of the objects is in the partition. */
  readonly share: number
}

export interface Partitions {
  /** Of the state that is to be read. */
  readonly clock: PageClock
  readonly partitions: readonly Partition[]
}

export interface PartitionOptions {
  readonly at: PointInTime
  readonly filter: Filter
  /** How many objects the caller sees; undefined if a policy hides none, so that the clock says it. */
  readonly visible?: Total | undefined
  /** The most partitions. */
  readonly partitionCount: number
}

/** Reading so many keys from their index takes a few milliseconds. */
const mostLookedAt = 10_000

/** If even so many places have too few rows that the caller sees, it sees so few that all of them are looked at. */
const mostPlaces = 100_000

/**
 * With so many rows for each partition, chance makes not one of a million partitions larger than twice the mean. Objects that were stored
 * together may have neighbouring keys, so only one row of a stretch is looked at.
 */
const rowsForEachPartition = 40

export async function partitionCollection(
  database: Pick<Database, 'holding' | 'isCitus'>,
  type: ObjectType,
  { at, filter, partitionCount, visible }: PartitionOptions,
  signal?: AbortSignal,
): Promise<Partitions> {
  const clock = await askClock({ database }, { type, at }, signal)
  const reader = database.holding(type.schema)
  const live = Number(clock.live)
  const endsAt = (places?: readonly string[]) =>
    reader.rows(compileEndsQuery(type, { filter, partitionCount, places }))
  const isSmall = visible === undefined ? live <= mostLookedAt : !visible.isBound
  if (isSmall) return { clock, partitions: partitionsOf(await endsAt()) }
  const blocks = await blocksOf(reader, type, database.isCitus())
  const wanted = partitionCount * rowsForEachPartition
  for (let stretches = wanted; stretches <= mostPlaces; stretches *= 4) {
    const rows = await endsAt(drawPlaces({ blocks, live, stretches }))
    // Of the places that are drawn, hidden objects hold some: then more are drawn, so that the partitions show nothing of them (P258).
    if (visible === undefined || keysSeen(rows) >= wanted) return { clock, partitions: partitionsOf(rows) }
  }
  return { clock, partitions: partitionsOf(await endsAt()) }
}

const keysSeen = ([first]: readonly Row[]): number => Number(first?.['keys'] ?? 0)

function partitionsOf(rows: readonly Row[]): readonly Partition[] {
  if (rows.length === 0) return [{ end: undefined, share: 1 }]
  return rows.map(({ key, place, keys }, i) => ({
    end: i === rows.length - 1 ? undefined : (key ?? undefined),
    share: (Number(place) - Number(rows[i - 1]?.['place'] ?? 0)) / Number(keys),
  }))
}

async function blocksOf(reader: Reader, { tables }: ObjectType, isCitus: boolean): Promise<number> {
  const rows = await reader.rows({
    text: `select pg_relation_size(${storedRelation('$1::text', isCitus)}) / current_setting('block_size')::bigint as blocks`,
    values: [tables.current],
  })
  return Number(rows[0]?.['blocks'] ?? 0)
}

interface Lots {
  readonly blocks: number
  readonly live: number
  readonly stretches: number
}

/**
 * One place in each of so many stretches of the table, all of the same length: where keys were stored in their order, the partitions are
 * then almost equal. A place may be empty; a full block has at least so many rows as blocks have on average.
 */
function drawPlaces({ blocks, live, stretches }: Lots): readonly string[] {
  const rowsInBlock = Math.max(1, Math.floor(live / Math.max(1, blocks)))
  return Array.from({ length: stretches }, (_, i) => {
    const block = Math.floor(((i + Math.random()) * blocks) / stretches)
    return `(${block},${1 + Math.floor(Math.random() * rowsInBlock)})`
  })
}
