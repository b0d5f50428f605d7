// Amounts in units that a person compares at a glance.
const sizes = ['B', 'kB', 'MB', 'GB', 'TB'] as const

export function bytesText(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1_000 ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${sizes[power]}`
}

const spans = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** In the largest unit of which it is a whole number. */
export function secondsText(seconds: number): string {
  const [unit, length] = spans.find(([, each]) => seconds > 0 && seconds % each === 0) ?? ['second', 1]
  const count = seconds / length
  return `${count.toLocaleString('en-GB')} ${unit}${count === 1 ? '' : 's'}`
}
