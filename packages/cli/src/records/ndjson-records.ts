// Newline-delimited JSON: each line is the JSON object of one object's properties.
import { isUtf8 } from 'node:buffer'
import type { PropertyType } from '@octavo/protocol'
import type { InputRecord } from './input-record.ts'
import { keyText } from './key-text.ts'
import type { Line } from './line.ts'
import { notUtf8, tooLong } from './line-rules.ts'

export interface KeyProperty {
  readonly name: string
  readonly type: PropertyType
}

export async function* ndjsonRecords(
  lines: AsyncIterable<readonly Line[]>,
  key: KeyProperty,
): AsyncGenerator<readonly InputRecord[]> {
  for await (const group of lines) {
    const records: InputRecord[] = []
    for (const line of group) {
      if (!isBlank(line.bytes)) records.push(recordOf(line, key))
    }
    yield records
  }
}

function recordOf({ line, bytes: raw, endByte, isCut }: Line, key: KeyProperty): InputRecord {
  const endLine = line + 1
  const bad = (problem: string): InputRecord => ({ kind: 'bad', line, raw, endByte, endLine, problem })
  if (isCut) return { kind: 'bad', line, raw, endByte, endLine, problem: tooLong, isCut }
  const parsed = objectIn(raw)
  if (typeof parsed === 'string') return bad(parsed)
  return { kind: 'good', line, raw, endByte, endLine, json: raw, key: keyText(key.type, parsed[key.name]) }
}

/** The object, or what is wrong with the line. */
export function objectIn(bytes: Buffer): Readonly<Record<string, unknown>> | string {
  if (!isUtf8(bytes)) return notUtf8(bytes)
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (Array.isArray(value)) return isList
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : 'must be a JSON object: the properties of one object, such as {"id": 1}'
  } catch (error) {
    return `must be JSON on one line: ${reasonOf(error)}${otherForm(bytes.toString('utf8'))}`
  }
}

const isList =
  "must be a JSON object, the properties of one object, and is a list: write each object on its own line, for example with jq -c '.[]'"

/** What a whole file may be instead, by one of its lines. */
function otherForm(line: string): string {
  if (/^\s*[{[]\s*$/.test(line)) return '; jq -c . writes each object on one line'
  return /^\s*[^\s{}[\]"]+,/.test(line) ? '; if the file is CSV, add --format csv' : ''
}

/** The message of the parser without the excerpt of the line, because the line is shown beside it. */
const reasonOf = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).replace(/, (\.\.\.)?".*$/su, '')

const isBlank = (bytes: Buffer): boolean => {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  return true
}
