import { limits, type ScalarType } from '@octavo/protocol'
import { lengthBytes } from './token-claims.ts'

/** More than any number, date or boolean takes as text. */
const mostOfOthers = 64

/** How many bytes a position can have at most in an order whose keys are of these types. */
export const positionRoom = (scalars: readonly ScalarType[]): number =>
  scalars.reduce(
    (sum, scalar) => sum + lengthBytes + (scalar === 'string' ? limits.value.primaryKeyBytes : mostOfOthers),
    0,
  )
