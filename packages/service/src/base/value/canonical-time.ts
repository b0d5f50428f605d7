// Dates and times as text. Date does the time zone arithmetic in whole seconds; microseconds stay text.

const date = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/
const timestamp =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,6}))?)?([Zz]|[+-][0-9]{2}:[0-9]{2})$/

export function canonicalDate(value: unknown): string | undefined {
  const parts = typeof value === 'string' ? date.exec(value) : null
  if (parts === null) return undefined
  const [text, year, month, day] = parts
  return isDay(Number(year), Number(month), Number(day)) ? text : undefined
}

export function canonicalTimestamp(value: unknown): string | undefined {
  const parts = typeof value === 'string' ? timestamp.exec(value) : null
  if (parts === null) return undefined
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction, zone = ''] =
    parts
  if (!isDay(Number(year), Number(month), Number(day))) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const decimals = withoutTrailingZeros(fraction)
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  if (zone === 'Z' || zone === 'z') return `${local}${decimals}Z`
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  const utc = new Date(Date.parse(`${local}Z`) - offset * 60_000)
  const utcYear = utc.getUTCFullYear()
  return utcYear < 1 || utcYear > 9999 ? undefined : `${utc.toISOString().slice(0, 19)}${decimals}Z`
}

const withoutTrailingZeros = (fraction: string | undefined): string => {
  if (fraction === undefined) return ''
  let end = fraction.length
  while (end > 0 && fraction[end - 1] === '0') end -= 1
  return end === 0 ? '' : `.${fraction.slice(0, end)}`
}

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (leap ? 29 : (daysOfMonth[month - 1] ?? 0))
}

function offsetMinutes(zone: string): number | undefined {
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4, 6))
  if (hours > 15 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
