// Which records are of one object? The service decides it by the canonical text of the key. Here it is enough that two
// records of one object never look different; two objects may look the same, which costs a little waiting.
import type { PropertyType } from '@octavo/protocol'

export function keyText(type: PropertyType, value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  // The same moment can be written with other zones and other numbers of decimals.
  if (type === 'timestamp') return String(new Date(value).getTime())
  return String(value)
}
