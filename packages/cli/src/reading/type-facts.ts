import type { PropertyType, ScalarType } from '@octavo/protocol'

/** What reading a type needs to know of it, whichever revision tells it. */
export interface TypeFacts {
  readonly apiName: string
  readonly primaryKey: string
  /** Revision 1.0 does not say which it is. */
  readonly titleProperty?: string
  readonly properties: ReadonlyMap<string, PropertyType>
}

/** The type of a value of a field, which may be a component: `name:lastName`. */
export function scalarTypeOf({ properties }: TypeFacts, field: string): ScalarType | undefined {
  const [name = '', component] = field.split(':')
  const type = properties.get(name)
  if (type === undefined) return undefined
  const one = typeof type === 'object' && 'array' in type ? type.array : type
  if (typeof one === 'string') return component === undefined ? one : undefined
  return component === undefined ? undefined : one.struct[component]
}

const numbers: ReadonlySet<unknown> = new Set(['integer', 'long', 'double', 'decimal'])

export const isNumeric = (type: PropertyType | undefined): boolean => numbers.has(type)
