// Decides which records belong to one object. The service decides by the canonical text of the key. Here it is enough that
// two records of one object never have different texts; two objects may have the same text, which costs a little waiting.
import type { PropertyType } from '@octavo/protocol'

export function keyText(type: PropertyType, value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  // The same moment can be written with other time zones and other numbers of decimals.
  if (type === 'timestamp') return String(new Date(value).getTime())
  return String(value)
}
