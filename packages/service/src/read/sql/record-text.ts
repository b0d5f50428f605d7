// How PostgreSQL writes the objects of a page. Each record begins on a new line. JSON text cannot hold a raw line end, so
// records can be told apart at the line ends, without parsing them.
import type { ScalarType } from '@octavo/protocol'
import { titleColumnOf, type ObjectType } from '../../catalog/object-type.ts'
import type { PagePlan, RecordShape } from '../plan/page-plan.ts'
import type { Parameters } from '../../base/sql-query.ts'

export interface RecordText {
  /** Ends the previous record and begins this one. For the first record, the part that ends a previous one is cut off. */
  readonly head: string
  readonly value: string
}

/** The closing braces of a record: at the front of the next record's head, and after the last record. */
export const recordEnd = '}}'
export const recordSeparator = `${recordEnd},\n`

/** What precedes the key. The key is in hexadecimal digits where objects are listed, a JSON string where they are found. */
export const listedStart = (type: ObjectType): string => `${recordSeparator}{"rid":"${objectRidStart(type)}`
export const foundStart = `${recordSeparator}{"primaryKey":`

/** A part of a head: a constant text, or an SQL expression. */
type Piece = string | { readonly sql: string }

export interface RecordOptions {
  readonly shape: RecordShape
  /**
   * Writes the escapes of the key and the title where an object needs them, which takes a check of each object. Without this
   * option, a record with a backslash may be wrong: key and title are properties too, so if either needs an escape, the
   * properties contain one.
   */
  readonly withEscapes: boolean
}

export function recordText(type: ObjectType, options: RecordOptions, parameters: Parameters): RecordText {
  if (options.shape === 'listed') {
    const hexadecimal = { sql: `encode(convert_to(pk::text, 'UTF8'), 'hex')` }
    return { head: join([listedStart(type), hexadecimal, '","properties":{'], parameters), value: 'scalars' }
  }
  return {
    head: foundHead(type, options, parameters),
    value: type.hasOthers
      ? `case when others is null then scalars else scalars || ',' || others end`
      : 'scalars',
  }
}

/** Whether a record begins with texts that may need escapes. */
export const beginsWithTexts = ({ record, type }: Pick<PagePlan, 'record' | 'type'>): boolean =>
  record === 'found' && (type.key.scalar === 'string' || titleColumnOf(type)?.scalar === 'string')

function foundHead(type: ObjectType, { withEscapes }: RecordOptions, parameters: Parameters): string {
  const key = keyPieces(type)
  const column = titleColumnOf(type)
  const head = (escapes: keyof Escaping, title: Escaping | undefined) =>
    join(
      [
        foundStart,
        ...key[escapes],
        `,"objectType":${JSON.stringify(type.apiName)}`,
        ...(title === undefined ? [] : [',"title":', ...title[escapes]]),
        ',"properties":{',
      ],
      parameters,
    )
  const titleIsKey = type.definition.titleProperty === type.key.property
  const title = titleIsKey ? key : column && textPieces(column.name, column.scalar)
  const untitled =
    titleIsKey || column === undefined
      ? []
      : [`when ${column.name} is null then ${head(withEscapes ? 'escaped' : 'plain', undefined)}`]
  // Looking for a backslash costs a fifth of writing both with escapes. Long objects are not searched for one.
  const plain =
    withEscapes && beginsWithTexts({ record: 'found', type })
      ? [
          `when octet_length(scalars) < 1000 and strpos(scalars, ${parameters.add('\\', 'text')}) = 0 then ${head('plain', title)}`,
        ]
      : []
  const cases = [...untitled, ...plain]
  const otherwise = head(withEscapes ? 'escaped' : 'plain', title)
  return cases.length === 0 ? otherwise : `case ${cases.join(' ')} else ${otherwise} end`
}

/** One text written in both ways. The two are equal where nothing ever needs escapes. */
interface Escaping {
  readonly plain: readonly Piece[]
  readonly escaped: readonly Piece[]
}

/** In revision 2.0 a primary key is always a string. */
function keyPieces({ key }: ObjectType): Escaping {
  if (key.scalar === 'string') return textPieces('pk', key.scalar)
  const text = key.scalar === 'timestamp' ? `replace(pk::text, ' ', 'T') || 'Z'` : 'pk::text'
  const pieces = ['"', { sql: text }, '"']
  return { plain: pieces, escaped: pieces }
}

function textPieces(column: string, scalar: ScalarType): Escaping {
  const escaped = [{ sql: `to_json(${column})::text` }]
  return { plain: scalar === 'string' ? ['"', { sql: column }, '"'] : escaped, escaped }
}

/** Adjacent texts become one, as each concatenation copies its operands. */
function join(pieces: readonly Piece[], parameters: Parameters): string {
  const joined: string[] = []
  let text = ''
  const endText = () => {
    if (text !== '') joined.push(parameters.add(text, 'text'))
    text = ''
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    endText()
    joined.push(piece.sql)
  }
  endText()
  return joined.join(' || ')
}

/** An object's rid is its type's rid followed by its key in hexadecimal digits, which every rid may contain. */
export const objectRidStart = (type: ObjectType): string =>
  `${type.rid.replace('.object-type.', '.object.')}.`

/** The columns that a record is written from. */
export function recordColumns({ type, record }: PagePlan): readonly string[] {
  if (record === 'listed') return ['scalars']
  const title = titleColumnOf(type)
  return [...(title === undefined ? [] : [title.name]), 'scalars', ...(type.hasOthers ? ['others'] : [])]
}

/**
 * The size of an object as the byte budget counts it: what is sent. PostgreSQL knows the length of a stored text without reading
 * it.
 */
export const recordBytes = ({ type, record }: PagePlan, head: string): string =>
  `octet_length(${head}) + octet_length(scalars)${type.hasOthers && record === 'found' ? ' + coalesce(1 + octet_length(others), 0)' : ''}`
