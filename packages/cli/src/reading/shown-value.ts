/** A property as a person reads it: values of a list after each other, components of a struct likewise. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(shownValue).join(', ')
  if (typeof value === 'object') return Object.values(value).map(shownValue).join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
