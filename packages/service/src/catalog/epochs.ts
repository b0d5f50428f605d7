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

/**
 * The newest epoch after a commit that ends this many rows, in SQL, for columns of the clock row `k`: the next one if the rows of the
 * newest are enough.
 */
export const compileEpochAfter = (ended: string): string => {
  const doublings = `(k.epoch - k.floor_epoch - ${epochsOfOneSize}) / ${epochsPerDoubling}`
  const times = `(1::bigint << least(greatest(${doublings}, 0), ${mostDoublings})::integer)`
  return `case when k.epoch_rows + ${ended} >= greatest(k.live / ${objectsPerRow}, ${fewestRows}) * ${times} then k.epoch + 1 else k.epoch end`
}
