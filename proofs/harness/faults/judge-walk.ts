import type { CommitOracle } from './commit-oracle.ts'
import { shelfOf, type Edition } from './fault-objects.ts'

type SnapshotOrder = 'by key' | 'by edition'

export interface SnapshotWalkRead {
  readonly version: number
  readonly order: SnapshotOrder
  /** If set, only the objects of this shelf were requested. */
  readonly shelf?: number
  readonly editions: readonly Edition[]
}

/** The faults of a snapshot walk that ended without an error; the oracle must know its version. */
export function judgeSnapshotWalk(oracle: CommitOracle, walk: SnapshotWalkRead): string | undefined {
  const { version, order, shelf, editions } = walk
  const all = oracle.editionsAt(version).filter(({ key }) => shelf === undefined || shelfOf(key) === shelf)
  // The service chooses the order of a filtered walk.
  const expected = order === 'by edition' ? inOrderOfEdition(all) : all
  const read = shelf === undefined ? editions : editions.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const where = `snapshot at version ${version}, ${order}${shelf === undefined ? '' : `, shelf ${shelf}`}`
  if (read.length !== expected.length) {
    return `${where}: ${read.length} objects instead of ${expected.length}`
  }
  const wrong = expected.findIndex(
    ({ key, edition }, i) => read[i]?.key !== key || read[i].edition !== edition,
  )
  return wrong === -1
    ? undefined
    : `${where}, object ${wrong}: ${JSON.stringify(read[wrong])} instead of ${JSON.stringify(expected[wrong])}`
}

const inOrderOfEdition = (editions: readonly Edition[]): readonly Edition[] =>
  editions.toSorted((a, b) => a.edition - b.edition || (a.key < b.key ? -1 : 1))

export interface LatestWalkRead {
  /** Every commit up to this version was acknowledged before the walk started (P38). */
  readonly since: number
  /** The last edition that any writer had sent when the walk ended. */
  readonly lastEditionSent: number
  readonly editions: readonly Edition[]
}

/** P33 and P38, for keys that are never deleted: each exactly once, and not older than what was acknowledged before. */
export function judgeLatestWalk(
  oracle: CommitOracle,
  { since, lastEditionSent, editions }: LatestWalkRead,
  neverDeleted: readonly string[],
): string | undefined {
  const read = new Map(editions.map(({ key, edition }) => [key, edition]))
  const disordered = editions.findIndex(({ key }, i) => i > 0 && key <= (editions[i - 1]?.key ?? ''))
  if (disordered !== -1)
    return `latest walk, object ${disordered}: ${editions[disordered]?.key} again or late`
  const missing = neverDeleted.find((key) => !read.has(key))
  if (missing !== undefined) return `latest walk: ${missing} is missing`
  for (const [key, edition] of read) {
    const before = oracle.editionAt(key, since)
    if (before !== undefined && edition < before) {
      return `latest walk: ${key} in its edition ${edition}, although ${before} was acknowledged before`
    }
    if (edition > lastEditionSent) return `latest walk: ${key} in its edition ${edition}, which nobody sent`
  }
  return undefined
}
