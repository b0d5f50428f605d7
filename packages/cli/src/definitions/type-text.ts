import type { PropertyType } from '@octavo/protocol'

/** A type as people read it: `string`, `list of long`, `list of (first string, last string)`. */
export function typeText(type: PropertyType): string {
  if (typeof type === 'string') return type
  if ('array' in type) return `list of ${typeText(type.array)}`
  return `(${Object.entries(type.struct)
    .map(([name, component]) => `${name} ${component.type}`)
    .join(', ')})`
}
