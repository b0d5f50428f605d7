// Dates and times as text. Date does the calendar of whole seconds; microseconds stay text.

const date = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/
const timestamp =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,6}))?)?([Zz]|[+-][0-9]{2}:[0-9]{2})$/

export function canonicalDate(value: unknown): string | undefined {
  const parts = typeof value === 'string' ? date.exec(value) : null
  if (parts === null) return undefined
  const [text, year, month, day] = parts
  return midnight(Number(year), Number(month), Number(day)) === undefined ? undefined : text
}

export function canonicalTimestamp(value: unknown): string | undefined {
  const parts = typeof value === 'string' ? timestamp.exec(value) : null
  if (parts === null) return undefined
  const [, year, month, day, hour = '', minute = '', second = '0', fraction = '', zone = ''] = parts
  const start = midnight(Number(year), Number(month), Number(day))
  if (start === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  const utc = new Date(
    start + ((Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second)) * 1000,
  )
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return undefined
  const decimals = fraction.replace(/0+$/, '')
  return `${utc.toISOString().slice(0, 19)}${decimals === '' ? '' : `.${decimals}`}Z`
}

/** Milliseconds of the day's start, or nothing for a day that no calendar has. */
function midnight(year: number, month: number, day: number): number | undefined {
  if (year < 1) return undefined
  // Date.UTC takes years below 100 for 1900 and later; setUTCFullYear does not.
  const start = new Date(0).setUTCFullYear(year, month - 1, day)
  const made = new Date(start)
  return made.getUTCFullYear() === year && made.getUTCMonth() === month - 1 && made.getUTCDate() === day
    ? start
    : undefined
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4, 6))
  if (hours > 15 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
