import { didYouMean } from '../base/did-you-mean.ts'
import type { LinkType, PropertyType, ScalarType } from '@octavo/protocol'

/** What a reader needs to know of an object type, from either revision. */
export interface TypeFacts {
  readonly apiName: string
  readonly primaryKey: string
  /** Absent in revision 1.0, which does not say. */
  readonly titleProperty?: string
  readonly properties: ReadonlyMap<string, PropertyType>
  /** Absent in revision 1.0, which does not say. */
  readonly links?: Readonly<Record<string, LinkType>>
}

/** The scalar type of a field, which may be a component: `name:lastName`. */
export function scalarTypeOf({ properties }: TypeFacts, field: string): ScalarType | undefined {
  const [name = '', component] = field.split(':')
  const type = properties.get(name)
  if (type === undefined) return undefined
  const one = typeof type === 'object' && 'array' in type ? type.array : type
  if (typeof one === 'string') return component === undefined ? one : undefined
  return component === undefined ? undefined : one.struct[component]?.type
}

const numbers: ReadonlySet<unknown> = new Set(['integer', 'long', 'double', 'decimal'])

export const isNumeric = (type: PropertyType | undefined): boolean => numbers.has(type)

export function noProperty(wanted: string, { apiName, properties }: TypeFacts): string {
  const names = [...properties.keys()]
  return `${apiName} has no property ${wanted}${didYouMean(wanted, names)} It has ${names.join(', ')}.`
}
