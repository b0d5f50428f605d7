// How PostgreSQL writes the objects of a page. Each record begins on a new line: a raw line end cannot occur inside
// JSON text, so the line ends are where one record can be told from the next without reading it.
import type { ScalarType } from '@octavo/protocol'
import { titleColumnOf, type ObjectType } from '../../catalog/object-type.ts'
import type { PagePlan, RecordShape } from '../plan/page-plan.ts'
import type { Parameters } from '../../base/sql-query.ts'

export interface RecordText {
  /** Ends the previous record and begins this one; the first one's beginning is cut off its front. */
  readonly head: string
  readonly value: string
}

/** What stands before the first record's own beginning in its head, and after the last record. */
export const recordEnd = '}}'
export const recordSeparator = `${recordEnd},\n`

/** What stands before the key: in hexadecimal digits where objects are listed, as a JSON string where they are found. */
export const listedStart = (type: ObjectType): string => `${recordSeparator}{"rid":"${objectRidStart(type)}`
export const foundStart = `${recordSeparator}{"primaryKey":`

/** What a head is put together from: texts that stand as they are, and expressions. */
type Piece = string | { readonly sql: string }

export interface RecordOptions {
  readonly shape: RecordShape
  /**
   * Writes the escapes of key and title in every object that has any, which takes a look at each. Without it, a record with a
   * backslash is not as it should be: key and title are properties too, so whatever needs an escape in them has one there.
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
  // To look for an escape costs a fifth of writing both with escapes. Long objects are not looked through for it.
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

/** The same where nothing ever needs escapes. */
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

/** Texts that meet become one, as each joining copies what it joins. */
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

/** An object's rid is its type's, followed by its key in hexadecimal digits, which every rid may contain. */
export const objectRidStart = (type: ObjectType): string =>
  `${type.rid.replace('.object-type.', '.object.')}.`

/** What a record is written from. */
export function recordColumns({ type, record }: PagePlan): readonly string[] {
  if (record === 'listed') return ['scalars']
  const title = titleColumnOf(type)
  return [...(title === undefined ? [] : [title.name]), 'scalars', ...(type.hasOthers ? ['others'] : [])]
}

/** As the byte budget counts: what is sent of an object. The length of a stored text is known without reading it. */
export const recordBytes = ({ type, record }: PagePlan, head: string): string =>
  `octet_length(${head}) + octet_length(scalars)${type.hasOthers && record === 'found' ? ' + coalesce(1 + octet_length(others), 0)' : ''}`
