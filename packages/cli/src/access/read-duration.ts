const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Parses a duration such as 90s, 15m, 12h or 30d to milliseconds; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const [, number, unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? []
  const each = unitMs[unit]
  return number === undefined || each === undefined ? undefined : Number(number) * each
}
