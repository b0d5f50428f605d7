// The states of a collection that a reader has seen, and what it makes of the changes between them.
import { checksumOf } from '@octavo/model'
import type { ChangesPage } from '@octavo/protocol'
import {
  applied,
  readChanges,
  readState,
  type Asked,
  type Copy,
  type State,
} from '../../packages/service/test/support/changes-over-http.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import type { Random } from './random.ts'

export const apiFamily = 'proof'

export const askedOf = (url: string): Asked => ({
  fetch: (path, init = {}) =>
    fetch(url + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${testToken}` } }),
})

export interface Reader {
  readonly service: Asked
  readonly objectType: string
  readonly random: Random
}

const pageSizes = [1, 2, 3, 7, 20, 100, 1_000]

/** How the pages of a difference are read, and which state they are taken for. */
export interface Reading {
  readonly pages: readonly ChangesPage[]
  readonly snapshotToken: string
}

export type ReadDifference = (reader: Reader, earlier: State) => Promise<Reading>

export const readDifference: ReadDifference = async ({ service, objectType, random }, earlier) => {
  const pages = await readChanges(service, {
    objectType,
    apiFamily,
    asks: { fromSnapshotToken: earlier.snapshotToken },
    pageSize: () => pageSizes[random.below(pageSizes.length)] ?? 100,
  })
  return { pages, snapshotToken: pages.at(-1)?.snapshotToken ?? '' }
}

/**
 * Applies a difference to the state, and compares what comes of it with the state that its token names: object for object, by the
 * number of objects and by the checksum. Returns what is wrong, or the state.
 */
export async function judge(
  reader: Reader,
  earlier: State,
  { pages, snapshotToken }: Reading,
): Promise<string | State> {
  const { service, objectType } = reader
  const later = await readState(service, { objectType, apiFamily, asks: { snapshotToken } })
  let copy: Copy
  try {
    copy = applied(earlier.copy, pages)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const end = pages.at(-1)
  if (end?.toVersion !== later.version) return `toVersion ${end?.toVersion} is not ${later.version}`
  if (copy.size !== later.copy.size) return `${copy.size} objects, not ${later.copy.size}`
  for (const [key, text] of later.copy) if (copy.get(key) !== text) return `${key} is different`
  if (end.totalCount !== String(copy.size)) return `totalCount ${end.totalCount} is not ${copy.size}`
  const checksum = checksumOf([...copy.values()].map((text) => JSON.parse(text) as never))
  if (end.checksum !== checksum) return `checksum ${end.checksum} is not ${checksum}`
  return { ...later, copy }
}
