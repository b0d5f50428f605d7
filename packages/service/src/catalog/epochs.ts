// History is divided into epochs: a row that ends gets the epoch in which it ended, and the indexes of history begin with it. A
// page at a version reads only the epochs in which a row that was alive then can have ended: from the one that began with the
// version's commit to the newest. So the rows that ended before cost it nothing, however often the objects have changed.
//
// An epoch closes with the commit that ends its last row. The fewer rows an epoch has, the fewer of them a page skips; the more
// epochs there are since a version, the more ranges a page at that version merges. Their numbers begin with 1.

/** An epoch has at least this many rows, ... */
const fewestRows = 1_000
/** ... and at least this part of the objects. Then a whole walk skips at most one row for as many objects. */
const objectsPerRow = 8
/**
 * As long as fewer epochs than this can be read, they have no more rows than that. From then on the size doubles with every
 * `epochsPerDoubling` epochs, so that there are never many more.
 */
const epochsOfOneSize = 256
const epochsPerDoubling = 64
const mostDoublings = 20

/** What the clock row knows of epochs. */
export interface EpochClock {
  readonly epoch: bigint
  /** How many rows the newest epoch has. */
  readonly epochRows: bigint
  /** The epoch in force after the commit of the floor. */
  readonly floorEpoch: bigint
}

/** The newest epoch after a commit that ended some rows of a type with this many objects. */
export function epochAfter(
  { epoch, epochRows, floorEpoch }: EpochClock,
  { ended, live }: { readonly ended: bigint; readonly live: bigint },
): Pick<EpochClock, 'epoch' | 'epochRows'> {
  const rows = epochRows + ended
  const part = live / BigInt(objectsPerRow)
  const doublings = (epoch - floorEpoch - BigInt(epochsOfOneSize)) / BigInt(epochsPerDoubling)
  const times = 1n << BigInt(Math.min(Math.max(Number(doublings), 0), mostDoublings))
  const size = (part > BigInt(fewestRows) ? part : BigInt(fewestRows)) * times
  return rows < size ? { epoch, epochRows: rows } : { epoch: epoch + 1n, epochRows: 0n }
}

/** The same in SQL, for columns of the clock row `k` and a number of rows: selects `epoch` and `epoch_rows`. */
export const compileEpochAfter = (ended: string): string => {
  const doublings = `(k.epoch - k.floor_epoch - ${epochsOfOneSize}) / ${epochsPerDoubling}`
  const times = `(1::bigint << least(greatest(${doublings}, 0), ${mostDoublings})::integer)`
  const closes = `k.epoch_rows + ${ended} >= greatest(k.live / ${objectsPerRow}, ${fewestRows}) * ${times}`
  return `case when ${closes} then k.epoch + 1 else k.epoch end as epoch, case when ${closes} then 0 else k.epoch_rows + ${ended} end as epoch_rows`
}
