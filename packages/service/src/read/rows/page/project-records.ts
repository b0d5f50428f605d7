// The only place that parses objects on their way out: when the caller wants only some of their properties. The text of each
// value is copied unchanged, so no number is parsed and formatted again.
import { mapInTurns } from '../../../base/map-in-turns.ts'
import type { RecordShape } from '../../request/page-request.ts'
import { isFlat } from '../../sql/record-text.ts'

/** Takes records, one per line, as PostgreSQL wrote them, and keeps only the selected properties of each. */
export async function projectRecords(
  records: Buffer,
  select: readonly string[],
  shape: RecordShape,
): Promise<Buffer> {
  const lines = await mapInTurns(records.toString().split('\n'), recordProjector(select, shape))
  return Buffer.from(lines.join('\n'))
}

/** For one record. */
export function recordProjector(select: readonly string[], shape: RecordShape): (line: string) => string {
  const kept = new Set(isFlat(shape) ? [...flatMembers, ...select] : select)
  const before = isFlat(shape) ? '{' : marker
  return (line) => projectRecord(line, kept, before)
}

function projectRecord(line: string, kept: ReadonlySet<string>, before: string): string {
  const start = line.indexOf(before) + before.length
  const members: string[] = []
  let at = start
  while (line[at] !== '}') {
    const end = endOfMember(line, at)
    const name = JSON.parse(line.slice(at, endOfString(line, at))) as string
    if (kept.has(name)) members.push(line.slice(at, end))
    at = line[end] === ',' ? end + 1 : end
  }
  return line.slice(0, start) + members.join(',') + line.slice(at)
}

/** The first occurrence is the record's own: no object comes before it, and strings hold no unescaped quotes. */
const marker = '"properties":{'

/** What a flat record has besides its properties. */
const flatMembers = ['__primaryKey', '__apiName', '__title', '__rid']

function endOfMember(line: string, from: number): number {
  let depth = 0
  for (let at = endOfString(line, from) + 1; ; at += 1) {
    const character = line[at]
    if (character === '"') at = endOfString(line, at) - 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') {
      if (depth === 0) return at
      depth -= 1
    } else if (character === ',' && depth === 0) return at
  }
}

/** The index just past the closing quote of the string that opens at `from`. */
function endOfString(line: string, from: number): number {
  for (let at = from + 1; ; at += 1) {
    const character = line[at]
    if (character === '\\') at += 1
    else if (character === '"') return at + 1
  }
}
