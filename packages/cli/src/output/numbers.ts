const grouped = new Intl.NumberFormat('en-US')

/** `1,234,567`; also accepts the decimal text that the service writes for counts. */
export const countText = (count: number | string): string =>
  grouped.format(typeof count === 'string' && /^\d+$/.test(count) ? BigInt(count) : Number(count))

/** `1 object`, `2 objects`. */
export const amountText = (count: number | string, one: string, many = `${one}s`): string =>
  `${countText(count)} ${Number(count) === 1 ? one : many}`

/** `0.4 s`, `12 s`, `4 min 12 s`, `2 h 05 min`. */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** `512 bytes`, `1.5 kB`, `394 MB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const amount = bytes / 1_000 ** power
  return `${power > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${units[power]}`
}

/** `2 min ago`, as people say it; `now` within the last second. */
export function agoText(moment: string, now: Date): string {
  const seconds = Math.floor((now.getTime() - new Date(moment).getTime()) / 1_000)
  if (seconds < 1) return 'now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}
