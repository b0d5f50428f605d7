/** Between two pages: where a walk is, and what it must hold the next page to. Plain data, so that it can be saved. */
export interface WalkPosition {
  /** Asks for the next page; none before the first one. */
  readonly pageToken?: string
  readonly ended: boolean
  readonly pages: number
  readonly objects: number
  readonly totalCount?: string
  readonly snapshotVersion?: string
  /** An earlier token: if it comes again, the walk goes round in circles. */
  readonly mark?: string
}

export const startOfWalk: WalkPosition = { ended: false, pages: 0, objects: 0 }
