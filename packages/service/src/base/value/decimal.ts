/** A text of digits, as PostgreSQL writes a numeric, as a whole number of units of its last place. */
export interface Decimal {
  readonly units: bigint
  /** How many units are one. */
  readonly perOne: bigint
}

export function decimalOf(text: string): Decimal {
  const [whole = '', fraction = ''] = text.split('.')
  return { units: BigInt(whole + fraction), perOne: 10n ** BigInt(fraction.length) }
}
