// An object type as columns of a Parquet file. Every value is kept exactly; docs/decisions/0046 says what becomes what.
import type { PropertyType, ScalarType, StructType } from '@octavo/protocol'
import type { SchemaElement } from 'hyparquet-writer'
import type { TypeFacts } from '../reading/type-facts.ts'

/** A column for each property, in the order of the definition. Any of them may be null, as a property may have no value. */
export function parquetSchema({ properties }: Pick<TypeFacts, 'properties'>): SchemaElement[] {
  const columns = [...properties].flatMap(([name, type]) => elementsOf(name, type))
  return [{ name: 'schema', num_children: properties.size }, ...columns]
}

function elementsOf(name: string, type: PropertyType): readonly SchemaElement[] {
  if (typeof type === 'string') return [{ name, repetition_type: 'OPTIONAL', ...scalarElements[type] }]
  if ('struct' in type)
    return [{ name, repetition_type: 'OPTIONAL', ...groupOf(type.struct) }, ...componentsOf(type.struct)]
  // An array holds no null (P53), so its elements are required.
  const item = type.array
  return [
    {
      name,
      repetition_type: 'OPTIONAL',
      num_children: 1,
      converted_type: 'LIST',
      logical_type: { type: 'LIST' },
    },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    ...(typeof item === 'string'
      ? [{ name: 'element', repetition_type: 'REQUIRED' as const, ...scalarElements[item] }]
      : [
          { name: 'element', repetition_type: 'REQUIRED' as const, ...groupOf(item.struct) },
          ...componentsOf(item.struct),
        ]),
  ]
}

type Components = StructType['struct']

const groupOf = (components: Components) => ({ num_children: Object.keys(components).length })

const componentsOf = (components: Components): readonly SchemaElement[] =>
  Object.entries(components).flatMap(([name, { type }]) => elementsOf(name, type))

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const

const scalarElements = {
  string: text,
  boolean: { type: 'BOOLEAN' },
  integer: { type: 'INT32' },
  long: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  // DECIMAL has one scale for the whole column, and a decimal of Octavo keeps the zeros that it was written with (P50).
  decimal: text,
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
} as const satisfies Record<ScalarType, Partial<SchemaElement>>

/** The writer collects equal values of a column, and takes -0 for 0: a column with doubles is written value by value. */
export const isWrittenPlain = (type: PropertyType): boolean => {
  if (typeof type === 'string') return type === 'double'
  if ('struct' in type) return Object.values(type.struct).some((component) => component.type === 'double')
  return isWrittenPlain(type.array)
}
