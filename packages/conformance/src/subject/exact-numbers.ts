// Sums and averages without rounding (P303), and the starts of widths and durations (P309, P310).
import type { ScalarValue } from '@octavo/protocol'

/** A decimal number: its digits without the point, and how many of them come after it. */
interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

function decimalOf(value: ScalarValue): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

function sumOf(values: readonly ScalarValue[]): Decimal {
  const decimals = values.map(decimalOf)
  const scale = Math.max(0, ...decimals.map((each) => each.scale))
  const digits = decimals.reduce((sum, each) => sum + each.digits * 10n ** BigInt(scale - each.scale), 0n)
  return { digits, scale }
}

/** Without a fraction that ends with zeros, as values of groups are written (P302). */
function textOf({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : ''
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const fraction = text.slice(text.length - scale).replace(/0+$/, '')
  return `${sign}${text.slice(0, text.length - scale)}${scale === 0 || fraction === '' ? '' : `.${fraction}`}`
}

export const exactSum = (values: readonly ScalarValue[]): string => textOf(sumOf(values))

/** Far more digits than a double has. */
const moreDigits = 60

export function exactAverage(values: readonly ScalarValue[]): number {
  const { digits, scale } = sumOf(values)
  const quotient = (digits * 10n ** BigInt(moreDigits)) / BigInt(values.length)
  return Number(textOf({ digits: quotient, scale: scale + moreDigits }))
}

/** Two texts of one decimal number are one value (P302). */
export const shortest = (value: ScalarValue): string => textOf(decimalOf(value))

export const widthStart = (value: number, width: number): number => Math.floor(value / width) * width

export type TriedUnit = 'DAYS' | 'MONTHS' | 'YEARS'

/** Where the day, the month or the decade of a date or timestamp begins. */
export function durationStart(value: string, unit: TriedUnit): string {
  const [year = '', month = '', day = ''] = value.slice(0, 10).split('-')
  const begins = {
    DAYS: `${year}-${month}-${day}`,
    MONTHS: `${year}-${month}-01`,
    YEARS: `${year.slice(0, 3)}0-01-01`,
  }[unit]
  return value.includes('T') ? `${begins}T00:00:00Z` : begins
}

/** How many of the unit make the groups that `durationStart` tells apart. */
export const unitsTried: Readonly<Record<TriedUnit, number>> = { DAYS: 1, MONTHS: 1, YEARS: 10 }
