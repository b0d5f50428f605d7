import type { RevisionName } from '../../../src/subject/page-request.ts'
import type { Steps } from '../model-server/steps.ts'

/** The model server with one mistake that real products make. */
export interface BrokenServer {
  readonly name: string
  /** What it does, and where that comes from. */
  readonly mistake: string
  /** The clause that the kit must name. */
  readonly clause: string
  /** Clauses that the same mistake breaks as well; the kit may name them, and no others. */
  readonly also?: readonly string[]
  /** Both unless told otherwise. */
  readonly revision?: RevisionName
  /** How many objects the mistake needs to show. */
  readonly objects?: number
  /** Made anew for every server, as a step may remember things. */
  readonly steps: () => Partial<Steps>
}
