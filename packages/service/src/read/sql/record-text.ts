// How PostgreSQL writes the objects of a page. Each record begins on a new line. JSON text cannot hold a raw line end, so
// records can be separated at the line ends, without parsing them.
import type { ScalarType } from '@octavo/protocol'
import { titleColumnOf, type ObjectType } from '../../catalog/object-type.ts'
import type { PagePlan, PageOrder } from '../plan/page-plan.ts'
import type { RecordShape } from '../request/page-request.ts'
import type { Parameters } from '../../base/sql-query.ts'

export interface RecordText {
  /** Ends the previous record and begins this one. For the first record, the part that ends a previous one is cut off. */
  readonly head: string
  readonly value: string
}

/** Properties are a member of their own, unless the record is flat. */
export const isFlat = (shape: RecordShape): boolean => shape === 'osdk' || shape === 'osdk-with-rid'

/** The closing braces of a record: at the front of the next record's head, and after the last record. */
export const recordEnd = (shape: RecordShape): string =>
  isFlat(shape) ? '}' : shape === 'export' || shape === 'change' ? '}}}' : '}}'
export const recordSeparator = (shape: RecordShape): string => `${recordEnd(shape)},\n`

/** What precedes the key. Where objects are listed, the key is in hexadecimal digits; elsewhere it is JSON. */
export const recordStart = (shape: RecordShape, type: ObjectType): string =>
  recordSeparator(shape) + (shape === '1.0' ? `{"rid":"${objectRidStart(type)}` : starts[shape])

const starts: Readonly<Record<Exclude<RecordShape, '1.0'>, string>> = {
  '2.0': '{"primaryKey":',
  export: '{"type":"object","object":{"primaryKey":',
  change: '{"type":"put","primaryKey":',
  osdk: '{"__primaryKey":',
  'osdk-with-rid': '{"__primaryKey":',
}

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
  if (options.shape === '1.0') {
    const head = [recordStart('1.0', type), hexadecimalKey, '","properties":{']
    return { head: join(head, parameters), value: 'scalars' }
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
  record !== '1.0' && (type.key.scalar === 'string' || titleColumnOf(type)?.scalar === 'string')

const foundNames = { objectType: 'objectType', title: 'title', properties: ',"properties":{' } as const
const flatNames = { objectType: '__apiName', title: '__title', properties: ',' } as const

const hexadecimalKey: Piece = { sql: `encode(convert_to(pk::text, 'UTF8'), 'hex')` }

function foundHead(type: ObjectType, { shape, withEscapes }: RecordOptions, parameters: Parameters): string {
  const key = keyPieces(type, shape)
  const column = titleColumnOf(type)
  const names = isFlat(shape) ? flatNames : foundNames
  const rid: readonly Piece[] =
    shape === 'osdk-with-rid' ? [`,"__rid":"${objectRidStart(type)}`, hexadecimalKey, '"'] : []
  const head = (escapes: keyof Escaping, title: Escaping | undefined) =>
    join(
      [
        recordStart(shape, type),
        ...key[escapes],
        ...(shape === 'change' ? [',"object":{"primaryKey":', ...key[escapes]] : []),
        `,"${names.objectType}":${JSON.stringify(type.apiName)}`,
        ...(title === undefined ? [] : [`,"${names.title}":`, ...title[escapes]]),
        ...rid,
        names.properties,
      ],
      parameters,
    )
  const titleIsKey = type.definition.titleProperty === type.key.property
  const title = titleIsKey ? keyPieces(type, '2.0') : column && textPieces(column.name, column.scalar)
  const untitled =
    titleIsKey || column === undefined
      ? []
      : [`when ${column.name} is null then ${head(withEscapes ? 'escaped' : 'plain', undefined)}`]
  // Looking for a backslash costs a fifth of writing both with escapes. Long objects are not searched for one.
  const plain =
    withEscapes && beginsWithTexts({ record: '2.0', type })
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

/** The key as revision 2.0 writes it, where it is always a string. PostgreSQL reads it as it is. */
export const keyText = ({ key }: ObjectType): string =>
  key.scalar === 'timestamp' ? `replace(pk::text, ' ', 'T') || 'Z'` : 'pk::text'

/** Revision 2.0 writes every key as a string; in a flat record a key has the JSON type of its property (P334). */
function keyPieces(type: ObjectType, shape: RecordShape): Escaping {
  if (type.key.scalar === 'string') return textPieces('pk', type.key.scalar)
  const isNumber = isFlat(shape) && type.key.scalar === 'integer'
  const pieces = isNumber ? [{ sql: 'pk::text' }] : ['"', { sql: keyText(type) }, '"']
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

/** The key of an object as the wire has it, or undefined for the rid of something else. */
export function keyInRid(type: ObjectType, rid: string): string | undefined {
  const start = objectRidStart(type)
  if (!rid.startsWith(start)) return undefined
  const text = Buffer.from(rid.slice(start.length), 'hex').toString()
  return type.key.scalar === 'timestamp' ? `${text.replace(' ', 'T')}Z` : text
}

/** The rid of the object with this key, as the wire has it. */
export const ridOfKey = (type: ObjectType, key: string): string => {
  const stored = type.key.scalar === 'timestamp' ? key.replace('T', ' ').replace(/Z$/, '') : key
  return objectRidStart(type) + Buffer.from(stored).toString('hex')
}

/** The columns that a record is written from. */
export function recordColumns({ type, record }: Pick<PagePlan, 'type' | 'record'>): readonly string[] {
  if (record === '1.0') return ['scalars']
  const title = titleColumnOf(type)
  return [...(title === undefined ? [] : [title.name]), 'scalars', ...(type.hasOthers ? ['others'] : [])]
}

/**
 * The size of an object as the byte budget counts it: what is sent. PostgreSQL knows the length of a stored text without reading
 * it.
 */
export const recordBytes = ({ type, record }: PagePlan, head: string): string =>
  `octet_length(${head}) + octet_length(scalars)${type.hasOthers && record !== '1.0' ? ' + coalesce(1 + octet_length(others), 0)' : ''}`

export const isKeyOrder = ({ keys }: PageOrder): boolean => keys.length === 1

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c

/**
 * Reads the primary key from the head of a record. In the order of the key it is the whole position of an object, so rows need no
 * column for it, which would take PostgreSQL an eighth of its time for a page. The key is text that PostgreSQL accepts; a timestamp has the format of the wire. */
export function keyInRecord(
  { record: shape, type }: Pick<PagePlan, 'record' | 'type'>,
  record: Buffer,
): string {
  const start = Buffer.byteLength(recordStart(shape, type))
  if (shape === '1.0') {
    return Buffer.from(record.toString('latin1', start, record.indexOf(quote, start)), 'hex').toString()
  }
  if (record[start] !== quote) return record.toString('latin1', start, record.indexOf(comma, start))
  let end = start + 1
  while (record[end] !== quote) end += record[end] === backslash ? 2 : 1
  return JSON.parse(record.toString('utf8', start, end + 1)) as string
}
