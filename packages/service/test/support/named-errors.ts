// What tests expect of a refusal, in a line.
import type { ErrorName } from '@octavo/protocol'

export const errorNamed = (errorName: ErrorName, parameters: object) => ({ errorName, parameters })

export const errorWith = (status: number, errorName: ErrorName, parameters: object) => ({
  status,
  ...errorNamed(errorName, parameters),
})
