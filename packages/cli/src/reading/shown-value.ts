/** A property as people read it: the values of a list, or the components of a struct, one after another. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(shownValue).join(', ')
  if (typeof value === 'object') return Object.values(value).map(shownValue).join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
