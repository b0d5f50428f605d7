// Reads one line of a batch: which change it asks for, and whether that is possible.
import { lineConditionSchema, sourceLineSchema, type LineCondition, type SourceLine } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import { explainShape } from '../../read/request/explain-shape.ts'
import { canonicalScalar } from '../../base/value/canonical-scalar.ts'
import { valueFromText } from '../../base/value/value-from-text.ts'
import { lineProblem, type LineProblem } from './batch-problem.ts'
import { canonicaliseMerge } from './canonicalise-merge.ts'
import { canonicaliseObject } from './canonicalise-object.ts'
import type { Change, Merge } from './change.ts'
import { shortened, shortText } from './shortened-value.ts'
import { isJsonObject } from '../../base/value/json-object.ts'

export type ReadLine =
  | {
      readonly type: ObjectType
      readonly change: Change | Merge
      /** What the object has to be before the batch. */
      readonly wanted?: LineCondition
    }
  | { readonly source: SourceLine }
  | { readonly problems: readonly LineProblem[] }

/** Finds the type of a line; a string result says why there is none. */
type TypeOfLine = (objectType: unknown) => Promise<ObjectType | string> | ObjectType | string

type JsonObject = Readonly<Record<string, unknown>>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** `putsOnly` is set where the lines are the whole contents of a type. */
export interface LineRules {
  readonly typeOf: TypeOfLine
  readonly putsOnly: boolean
  /** Called with the line that says where the source of the batch is. Without it, there is no such line. */
  readonly onSource?: (line: SourceLine, number: number) => Promise<void> | void
  /** Whether a line may say what its object has to be before. */
  readonly takesConditions?: boolean
}

/** A promise only where the type is not known yet: one for each line would cost more than the line. */
export function readLine(
  bytes: Buffer,
  lineNumber: number,
  { typeOf, putsOnly, onSource, takesConditions = false }: LineRules,
): Promise<ReadLine> | ReadLine {
  const line = parse(bytes)
  if (typeof line === 'string') return refuse(line)
  const kind = line['type']
  if (kind === 'source' && onSource !== undefined) return readSourceLine(line)
  if (kind !== 'put' && kind !== 'merge' && kind !== 'delete') {
    const source = onSource === undefined ? '' : ', or "source" in the first or the last line'
    return refuse(`must have the field "type", which is "put", "merge" or "delete"${source}`, kind)
  }
  if (kind !== 'put' && putsOnly) {
    return refuse('must be a put: replacing deletes every object that is not put', kind)
  }
  const fields = (takesConditions ? fieldsWithCondition : fieldsOf)[kind]
  const unknown = Object.keys(line).find((field) => !fields.includes(field))
  if (unknown !== undefined) return refuse(`must have no fields other than ${fields.join(', ')}`, unknown)
  const objectType = line['objectType']
  const type = typeOf(objectType)
  return type instanceof Promise
    ? type.then((found) => readChange(line, lineNumber, found))
    : readChange(line, lineNumber, type)
}

function readChange(line: JsonObject, lineNumber: number, type: ObjectType | string): ReadLine {
  if (typeof type === 'string') return refuse(type, line['objectType'])
  const read = readChangeOf(line, lineNumber, type)
  const wanted = line['if']
  if (wanted == null || !('change' in read)) return read
  if (explainShape(lineConditionSchema, wanted) === undefined)
    return { ...read, wanted: wanted as LineCondition }
  return {
    problems: [
      {
        property: 'if',
        ...valueOf(wanted),
        problem:
          'must be {"exists": true}, {"exists": false} or {"checksum": "..."}, with 16 hexadecimal digits',
      },
    ],
  }
}

function readChangeOf(line: JsonObject, lineNumber: number, type: ObjectType): ReadLine {
  const kind = line['type']
  if (kind === 'delete') return readDelete(type, line['primaryKey'])
  const { properties } = line
  if (!isJsonObject(properties))
    return refuse('must have the field "properties", which is an object', properties)
  return kind === 'put' ? readPut(type, properties) : readMerge(type, properties, lineNumber)
}

function readSourceLine(line: JsonObject): ReadLine {
  const unfit = explainShape(sourceLineSchema, line)
  if (unfit === undefined) return { source: line as SourceLine }
  const property = unfit.path.slice(1)
  return {
    problems: [
      {
        ...(property !== '' && { property, ...valueOf(line[property]) }),
        problem: unfit.problem.replace(/^it /, ''),
      },
    ],
  }
}

const putFields: readonly string[] = ['type', 'objectType', 'properties']
const deleteFields: readonly string[] = ['type', 'objectType', 'primaryKey']
const fieldsOf = { put: putFields, merge: putFields, delete: deleteFields }
const fieldsWithCondition = {
  put: [...putFields, 'if'],
  merge: [...putFields, 'if'],
  delete: [...deleteFields, 'if'],
}

function readPut(type: ObjectType, properties: JsonObject): ReadLine {
  const canonical = canonicaliseObject(type, properties)
  if ('object' in canonical) return { type, change: { kind: 'put', object: canonical.object } }
  return { problems: canonical.problems.map(lineProblem) }
}

function readMerge(type: ObjectType, properties: JsonObject, line: number): ReadLine {
  const canonical = canonicaliseMerge(type, properties)
  if ('problems' in canonical) return { problems: canonical.problems.map(lineProblem) }
  return { type, change: { kind: 'merge', ...canonical, line } }
}

/** The key as JSON or as text: reads show it as text, whatever its type. */
function readDelete(type: ObjectType, primaryKey: unknown): ReadLine {
  const key = canonicalScalar(
    type.key.scalar,
    typeof primaryKey === 'string' ? valueFromText(type.key.scalar, primaryKey) : primaryKey,
  )
  if (!('problem' in key)) return { type, change: { kind: 'delete', key: key.column } }
  return {
    problems: [{ property: 'primaryKey', ...valueOf(primaryKey), problem: key.problem }],
  }
}

function parse(bytes: Buffer): JsonObject | string {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return 'must be UTF-8'
  }
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : 'must be a JSON object'
  } catch (error) {
    return `must be JSON (${shortText(messageOf(error))})`
  }
}

/** Removes the line and column that the parser reports: here they would be those within one line of the batch. */
const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/ \(line \d+ column \d+\)$/, '') : 'it is not'

const refuse = (problem: string, value?: unknown): ReadLine => ({
  problems: [{ ...valueOf(value), problem }],
})

const valueOf = (value: unknown) => (value === undefined ? {} : { value: shortened(value) })
