// The limit of an arm is a literal in the text of the statement, rounded up to one of these steps. If it were a parameter,
// PostgreSQL would plan as if a tenth of the table were wanted, and would never settle on one generic plan for all pages. The
// exact limit is a parameter further out, so a page reads no more rows than it needs where rows come in order.
import { invariant } from '../../base/errors/invariant.ts'

const steps = [2, 6, 11, 21, 51, 101, 201, 501, 1001]

export function rowStep(rows: number): number {
  const step = steps.find((candidate) => candidate >= rows)
  invariant(step !== undefined, 'page-larger-than-the-greatest-step')
  return step
}
