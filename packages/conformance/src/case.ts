import type { RevisionName } from './subject/page-request.ts'
import type { Subject } from './subject/subject.ts'

/** One thing that is tried on a server. It throws a ClauseFailure, or a CaseSkipped when it cannot be tried. */
export interface Case {
  /** The clause of PROTOCOL.md, such as `P12`. */
  readonly clause: string
  /** A sentence of what holds when the case passes. */
  readonly title: string
  /** Only for this revision; both when left out. */
  readonly revision?: RevisionName
  /** Changes objects, so it needs a writer. */
  readonly writes?: true
  readonly run: (subject: Subject) => Promise<void>
}
