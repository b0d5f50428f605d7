import { didYouMean } from '../base/did-you-mean.ts'
import type { LinkType, PropertyType, ScalarType } from '@octavo/protocol'

/** What a reader needs to know of an object type. */
export interface TypeFacts {
  readonly apiName: string
  readonly primaryKey: string
  readonly titleProperty: string
  readonly properties: ReadonlyMap<string, PropertyType>
  readonly links: Readonly<Record<string, LinkType>>
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

const wholeNumbers = { form: /^-?\d+$/, are: 'integers' }
const keyForms = {
  integer: wholeNumbers,
  long: wholeNumbers,
  date: { form: /^\d{4}-\d\d-\d\d$/, are: 'dates such as 2026-05-01' },
  timestamp: { form: /^\d{4}-\d\d-\d\dT.*Z$/, are: 'times such as 2026-05-01T09:30:00Z' },
} as const satisfies Partial<Record<ScalarType, unknown>>

/** What the keys of the type are, if this one cannot be one of them. */
export function keysNotLike(key: string, { apiName, primaryKey, properties }: TypeFacts): string {
  const type = properties.get(primaryKey)
  const known =
    typeof type === 'string' && type in keyForms ? keyForms[type as keyof typeof keyForms] : undefined
  return known === undefined || known.form.test(key) ? '' : ` The keys of ${apiName} are ${known.are}.`
}

export function noProperty(wanted: string, { apiName, properties }: TypeFacts): string {
  const names = [...properties.keys()]
  return `${apiName} has no property ${wanted}${didYouMean(wanted, names)} It has ${names.join(', ')}.`
}
