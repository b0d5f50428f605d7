// Why a batch is refused: its first problems, each with its line (P133).
import { limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Problem } from './canonicalise-object.ts'
import { shortened, shortText } from './shortened-value.ts'

export interface LineProblem {
  readonly property?: string
  readonly value?: unknown
  readonly problem: string
}

export interface BatchProblem extends LineProblem {
  readonly line: number
}

export const lineProblem = ({ property, value, problem }: Problem): LineProblem => ({
  property: shortText(property),
  ...(value !== undefined && { value: shortened(value) }),
  problem,
})

export const batchRefused = (problems: readonly BatchProblem[]): ServiceError =>
  new ServiceError('InvalidBatch', { problems: problems.slice(0, limits.request.batchProblems) })
