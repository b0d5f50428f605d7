export const scalarTypes = [
  'string',
  'boolean',
  'integer',
  'long',
  'double',
  'decimal',
  'date',
  'timestamp',
] as const
export type ScalarType = (typeof scalarTypes)[number]

/** Types whose text form is canonical and whose order is total: only these may be the type of a primary key. */
export const primaryKeyTypes = ['string', 'integer', 'long', 'date', 'timestamp'] as const
export type PrimaryKeyType = (typeof primaryKeyTypes)[number]

const baseTypeNames = {
  string: 'String',
  boolean: 'Boolean',
  integer: 'Integer',
  long: 'Long',
  double: 'Double',
  decimal: 'Decimal',
  date: 'Date',
  timestamp: 'Timestamp',
} as const satisfies Record<ScalarType, string>

interface Struct {
  readonly struct: Readonly<Record<string, { readonly type: ScalarType }>>
}

/** The name of a type as revision 1.0 and error parameters write it: `String`, `Array<Struct<first:String>>`. */
export function baseTypeName(type: ScalarType | Struct | { readonly array: ScalarType | Struct }): string {
  if (typeof type === 'string') return baseTypeNames[type]
  if ('array' in type) return `Array<${baseTypeName(type.array)}>`
  const components = Object.entries(type.struct).map(
    ([name, component]) => `${name}:${baseTypeNames[component.type]}`,
  )
  return `Struct<${components.join(',')}>`
}
