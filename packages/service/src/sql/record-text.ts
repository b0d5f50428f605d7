// How PostgreSQL writes the objects of a page. Each record begins on a new line: a raw line end cannot occur inside
// JSON text, so the line ends are where one record can be told from the next without reading it.
import { titleColumnOf, type ObjectType } from '../catalog/object-type.ts'
import type { RecordShape } from '../plan/page-plan.ts'
import type { Parameters } from './sql-query.ts'

export interface RecordText {
  /** Ends the previous record and begins this one; the first one's beginning is cut off its front. */
  readonly head: string
  readonly value: string
}

/** What stands before the first record's own beginning in its head, and after the last record. */
export const recordEnd = '}}'
export const recordSeparator = `${recordEnd},\n`

export function recordText(shape: RecordShape, type: ObjectType, parameters: Parameters): RecordText {
  const text = (value: string) => parameters.add(value, 'text')
  if (shape === 'listed') {
    return {
      head: `${text(`${recordSeparator}{"rid":"${objectRidStart(type)}`)} || encode(convert_to(pk::text, 'UTF8'), 'hex') || ${text('","properties":{')}`,
      value: 'scalars',
    }
  }
  const title = titleColumnOf(type)
  const objectType = `,"objectType":${JSON.stringify(type.apiName)}`
  const titleIsKey = type.definition.titleProperty === type.key.property
  const key = keyJson(type)
  const titleText = titleIsKey
    ? `${text(`${objectType},"title":`)} || ${key} || ${text(',"properties":{')}`
    : title === undefined
      ? text(`${objectType},"properties":{`)
      : `case when ${title.name} is null then ${text(`${objectType},"properties":{`)} else ${text(`${objectType},"title":`)} || to_json(${title.name})::text || ${text(',"properties":{')} end`
  return {
    head: `${text(`${recordSeparator}{"primaryKey":`)} || ${key} || ${titleText}`,
    value: type.hasOthers
      ? `case when others is null then scalars else scalars || ',' || others end`
      : 'scalars',
  }
}

/** In revision 2.0 a primary key is always a string. */
function keyJson(type: ObjectType): string {
  switch (type.key.scalar) {
    case 'string':
      return 'to_json(pk)::text'
    case 'timestamp':
      return `'"' || replace(pk::text, ' ', 'T') || 'Z"'`
    default:
      return `'"' || pk::text || '"'`
  }
}

/** An object's rid is its type's, followed by its key in hexadecimal digits, which every rid may contain. */
export const objectRidStart = (type: ObjectType): string =>
  `${type.rid.replace('.object-type.', '.object.')}.`
