import type { RevisionName } from '../exchange/collection.ts'
import type { Subject } from '../subject/subject.ts'

/** One check of a server. It throws a ClauseFailure, or a CaseSkipped if it cannot be tried. */
export interface Case {
  /** The clause of the specification, such as `P12`. */
  readonly clause: string
  /** A sentence that is true if the case passes. */
  readonly title: string
  /** Only for this revision; if absent, for 1.0 and 2.0. */
  readonly revision?: RevisionName
  /** Changes objects, so it needs a writer. */
  readonly writes?: true
  readonly run: (subject: Subject) => Promise<void>
}
