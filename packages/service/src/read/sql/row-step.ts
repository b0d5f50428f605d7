// The limit of an arm stands in the text of the statement, as one of these steps: for a limit that is a parameter
// PostgreSQL plans as if a tenth of the table were wanted, and then never settles on one plan for all pages.
// The exact limit is a parameter further out, so a page reads no more than it needs where rows come in order.
import { invariant } from '../../base/errors/invariant.ts'

const steps = [2, 6, 11, 21, 51, 101, 201, 501, 1001]

export function rowStep(rows: number): number {
  const step = steps.find((candidate) => candidate >= rows)
  invariant(step !== undefined, 'page-larger-than-the-greatest-step')
  return step
}
