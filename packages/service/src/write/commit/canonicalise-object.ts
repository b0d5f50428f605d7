// Checks one object from outside against its type and prepares it for storage.
import { limits } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Column } from '../../catalog/column.ts'
import { contentHash } from '../../base/digest/content-hash.ts'
import { arrayText } from '../../base/value/array-text.ts'
import { canonicalProperty, type ValuePart } from './canonical-property.ts'
import { termsOfValues } from './terms-of-values.ts'
import { crowdedOrder } from './index-room.ts'
import { propertyWriters, type PropertyWriter } from './property-writers.ts'

/** The contents of one row of the current table; `columns` is in the order of the type's columns. */
export interface CanonicalObject {
  readonly key: string
  readonly scalars: string
  readonly others: string | null
  readonly columns: readonly (string | null)[]
}

export interface Problem {
  readonly property: string
  readonly type: string
  readonly value: unknown
  readonly problem: string
}

export type Canonicalised = { readonly object: CanonicalObject } | { readonly problems: readonly Problem[] }

/** `partial` is set where the properties are some of an object: then only the primary key must be among them. */
export function canonicaliseObject(
  type: ObjectType,
  properties: Readonly<Record<string, unknown>>,
  { partial = false }: { readonly partial?: boolean } = {},
): Canonicalised {
  const problems: Problem[] = []
  const columns: (string | null)[] = Array.from({ length: type.columns.length }, () => null)
  let key = ''
  let keyText = ''
  let scalars = ''
  let others = ''
  let all = ''
  let known = 0

  for (const writer of propertyWriters(type)) {
    const given = Object.hasOwn(properties, writer.name)
    if (given) known += 1
    const value = given ? properties[writer.name] : undefined
    if (value === undefined || value === null) {
      const mayBeAbsent = partial && !given && !writer.isKey
      if (writer.needsValue && !mayBeAbsent) problems.push(problemOf(writer, value, 'must have a value'))
      continue
    }
    const written = canonicalProperty(writer.type, value)
    const problem = 'problem' in written ? written.problem : brokenRule(writer, written.parts)
    if (problem !== undefined || 'problem' in written) {
      problems.push(problemOf(writer, value, problem ?? ''))
      continue
    }
    const member = writer.member + written.json
    if (typeof writer.type === 'string') scalars = scalars === '' ? member : `${scalars},${member}`
    else others = others === '' ? member : `${others},${member}`
    if (type.hasOthers) all = all === '' ? member : `${all},${member}`
    if (writer.isKey) {
      key = written.parts[0]?.values[0] ?? ''
      keyText = written.json
    }
    for (const { place, column } of writer.columns) {
      const values = written.parts.find((part) => part.component === column.component)?.values ?? []
      columns[place] = columnText(column, values)
    }
  }

  if (known !== Object.keys(properties).length) problems.push(...unknownProperties(type, properties))
  const crowded = crowdedOrder(type, { key, columns })
  if (crowded !== undefined)
    problems.push({ ...crowded, type: 'String', value: properties[crowded.property] })
  if (problems.length > 0) return { problems: inDefinedOrder(type, problems) }
  const hashAt = type.columns.findIndex(({ role }) => role === 'hash')
  if (hashAt >= 0) columns[hashAt] = hashOf(keyText, type.hasOthers ? all : scalars)
  return { object: { key, scalars, others: others === '' ? null : others, columns } }
}

function inDefinedOrder({ definition }: ObjectType, problems: readonly Problem[]): readonly Problem[] {
  const names = Object.keys(definition.properties)
  const place = ({ property }: Problem) => (names.includes(property) ? names.indexOf(property) : names.length)
  return problems.toSorted((a, b) => place(a) - place(b))
}

/** In revision 2.0 a primary key is always a string. */
function hashOf(key: string, members: string): string {
  const text = `{"primaryKey":${key.startsWith('"') ? key : `"${key}"`},"properties":{${members}}}`
  // Canonical JSON has no negative zero. It is rare, and so are texts that look like one.
  return String(contentHash(text.includes('-0.0') ? JSON.stringify(JSON.parse(text)) : text))
}

const problemOf = (writer: PropertyWriter, value: unknown, problem: string): Problem => ({
  property: writer.name,
  type: writer.baseType,
  value,
  problem,
})

const columnText = (column: Column, values: readonly string[]): string | null => {
  if (column.role === 'terms') return arrayText(termsOfValues(values))
  return column.many ? arrayText(values) : (values[0] ?? null)
}

function brokenRule(writer: PropertyWriter, parts: readonly ValuePart[]): string | undefined {
  const { longest, isKey } = writer
  if (isKey && parts[0]?.values[0] === '') return 'must not be empty, because it is the primary key'
  if (longest === undefined) return undefined
  const crowded = parts.find((part) => isCrowded(writer, part))
  if (crowded !== undefined) {
    return `must have values of at most ${limits.value.searchableStringBytes} bytes of UTF-8 together, because it is searchable; these have ${bytesOf(crowded)}`
  }
  for (const { values } of parts) {
    const tooLong = values.find((text) => isLonger(text, longest.bytes))
    if (tooLong === undefined) continue
    return `must be at most ${longest.bytes} bytes of UTF-8, because ${longest.reason}; this has ${Buffer.byteLength(tooLong)}`
  }
  return undefined
}

/**
 * The terms of all values go into one tsvector, for which PostgreSQL has a limit of 1 MiB; lower case may be half as long again.
 */
function isCrowded({ columns }: PropertyWriter, part: ValuePart): boolean {
  if (part.values.length < 2) return false
  if (!columns.some(({ column }) => column.role === 'terms' && column.component === part.component))
    return false
  return bytesOf(part) > limits.value.searchableStringBytes
}

const bytesOf = ({ values }: ValuePart): number =>
  values.reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/** A character has at most three bytes for each UTF-16 unit, so most texts need not be measured. */
const isLonger = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && Buffer.byteLength(text) > bytes

const unknownProperties = (
  type: ObjectType,
  properties: Readonly<Record<string, unknown>>,
): readonly Problem[] => {
  const problems: Problem[] = []
  for (const name of Object.keys(properties)) {
    if (Object.hasOwn(type.definition.properties, name)) continue
    problems.push({
      property: name,
      type: 'none',
      value: properties[name],
      problem: 'is not a property of the type',
    })
    // A line can hold hundreds of thousands, and no more than this are reported anyway.
    if (problems.length === limits.request.batchProblems) break
  }
  return problems
}
