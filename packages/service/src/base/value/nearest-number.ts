import { decimalOf } from './decimal.ts'

/**
 * The double that is nearest to a sum divided by a number of values. The quotient is written with so many decimals that the middle
 * between any two doubles is one of the texts: then one more digit says on which side of it the rest is.
 */
export function nearestQuotient(sum: string, values: bigint): number {
  const { units, perOne } = decimalOf(sum)
  const divisor = perOne * values
  if (isSafe(units) && isSafe(divisor)) return Number(units) / Number(divisor)
  const dividend = units < 0n ? -units : units
  const places = dividend >= divisor ? placesOfHalves : placesOfSmallHalves
  const scaled = dividend * 10n ** BigInt(places)
  const rest = scaled % divisor === 0n ? '0' : '1'
  return Number(`${units < 0n ? '-' : ''}${scaled / divisor}${rest}e-${places + 1}`)
}

const isSafe = (value: bigint): boolean =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= -BigInt(Number.MAX_SAFE_INTEGER)

/** A double of at least 1 is a multiple of 2^-52, and any double one of 2^-1074. The middle of two has one binary place more. */
const placesOfHalves = 53
const placesOfSmallHalves = 1_075
