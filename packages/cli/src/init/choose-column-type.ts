// The type of a column of PostgreSQL: the one that holds whatever the column may hold. Where a value that was seen does not fit,
// it is a string, which loses nothing.
import { primaryKeyTypes, type ScalarType } from '@octavo/protocol/vocabulary'
import type { SourceColumn } from '@octavo/service'
import type { ChosenType, NoType } from './choose-type.ts'
import type { ColumnFacts } from './column-facts.ts'
import type { ScalarFacts } from './scalar-facts.ts'

interface KnownType {
  readonly type: ScalarType
  readonly why?: string
}

const knownTypes: Readonly<Record<string, KnownType | undefined>> = {
  bool: { type: 'boolean' },
  int2: { type: 'integer' },
  int4: { type: 'integer' },
  int8: { type: 'long' },
  oid: { type: 'long' },
  numeric: { type: 'decimal', why: 'every digit is kept' },
  float4: { type: 'double' },
  float8: { type: 'double' },
  date: { type: 'date' },
  timestamptz: { type: 'timestamp' },
  timestamp: { type: 'timestamp', why: 'read as UTC, because it has no zone' },
}

const leftOut: Readonly<Record<string, string | undefined>> = {
  bytea: 'no type holds bytes',
  json: 'its shape is not declared; write a view that makes columns of what you need',
  jsonb: 'its shape is not declared; write a view that makes columns of what you need',
  tsvector: 'it serves searches in PostgreSQL; strings are searched here without it',
}

/** Why a column is not read at all, whatever it holds. */
export function whyLeftOut({ typeName, typeKind }: SourceColumn): string | undefined {
  if (typeKind === 'c' || typeName === 'record')
    return 'a row inside a row; write a view that makes columns of it'
  return leftOut[typeName]
}

export function chooseColumnType(
  facts: ColumnFacts,
  column: SourceColumn,
  { isKey }: { readonly isKey: boolean },
): ChosenType | NoType {
  const known = knownTypeOf(column)
  const why = known.why === undefined ? column.typeText : `${column.typeText}: ${known.why}`
  if (column.isArray) {
    if (facts.unfit !== undefined) return { problem: `${facts.unfit.problem}, which no type can hold` }
    return fits(known.type, facts.elements.scalars)
      ? { type: { array: known.type }, why }
      : {
          problem: `has values that no ${known.type} can be, such as NaN or infinity`,
        }
  }
  const { firstWord } = facts.item.scalars
  if (!fits(known.type, facts.item.scalars)) {
    const such = firstWord === undefined ? '' : ` such as ${JSON.stringify(firstWord.text)}`
    return { type: 'string', why: `${column.typeText}, kept as text because of values${such}` }
  }
  return isKey && !primaryKeyTypes.some((type) => type === known.type)
    ? { type: 'string', why: `${column.typeText}, kept as text because a key cannot be a ${known.type}` }
    : { type: known.type, why }
}

/** What every long holds. */
const mostLongDigits = 18

function knownTypeOf({ typeName, digits }: SourceColumn): KnownType {
  const isWhole = digits !== undefined && digits.scale === 0 && digits.precision <= mostLongDigits
  return isWhole ? { type: 'long', why: 'whole numbers' } : (knownTypes[typeName] ?? { type: 'string' })
}

/** Infinity, NaN, years beyond 9999 and numerics of more than 38 digits are values of PostgreSQL, but not of the service. */
function fits(type: ScalarType, { values, texts, numbers, negativeZeros }: ScalarFacts): boolean {
  switch (type) {
    case 'date':
    case 'timestamp':
      return texts[type] === values
    case 'decimal':
      return texts.integer + texts.long + texts.digits + texts.decimal === values
    case 'double': {
      const written = texts.integer + texts.long + texts.digits + texts.decimal + texts.exponent
      const inLists = numbers.integer + numbers.long + numbers.rounded + numbers.other
      return written + inLists + negativeZeros === values
    }
    case 'string':
    case 'boolean':
    case 'integer':
    case 'long':
      return true
    default:
      return type satisfies never
  }
}
