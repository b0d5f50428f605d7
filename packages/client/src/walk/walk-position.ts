import { noHashes } from './content-hash.ts'

/**
 * The state of a walk between two pages: where it is, and what the next page must agree with. Plain data, so it can be
 * saved.
 */
export interface WalkPosition {
  /** The token for the next page; absent before the first page. */
  readonly pageToken?: string
  readonly ended: boolean
  readonly pages: number
  readonly objects: number
  readonly totalCount?: string
  readonly version?: string
  /** The version that a difference begins at. */
  readonly fromVersion?: string
  /** The sum of the hashes of the objects so far (P250); absent if it is not known. */
  readonly checksum?: string
  /** How many times the walk continued in a later state (P246). The count of its last page is then not that of its objects. */
  readonly continuations?: number
  /** An earlier token: if it is returned again, the walk is in a loop. */
  readonly mark?: string
}

export const startOfWalk: WalkPosition = { ended: false, pages: 0, objects: 0, checksum: noHashes }
