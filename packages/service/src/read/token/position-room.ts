import { limits, type ScalarType } from '@octavo/protocol'
import { lengthBytes } from './token-claims.ts'

/** More bytes than any number, date or boolean takes as text. */
const mostOfOthers = 64

/** The largest number of bytes of a position in an order whose keys have these types. */
export const positionRoom = (scalars: readonly ScalarType[]): number =>
  scalars.reduce(
    (sum, scalar) => sum + lengthBytes + (scalar === 'string' ? limits.value.primaryKeyBytes : mostOfOthers),
    0,
  )
