import type { RevisionName } from '../../../src/exchange/collection.ts'
import type { Steps } from '../model-server/steps.ts'

/** The model server with one bug that real products have. */
export interface BrokenServer {
  readonly name: string
  /** What the bug does, and where it was seen. */
  readonly mistake: string
  /** The clause that the kit must name. */
  readonly clause: string
  /** Other clauses that the same bug breaks; the kit may name these, and no others. */
  readonly also?: readonly string[]
  /** The default is 1.0 and 2.0. */
  readonly revision?: RevisionName
  /** How many objects are needed for the bug to show. */
  readonly objects?: number
  /** Created for every server, because a step may keep state. */
  readonly steps: () => Partial<Steps>
}
