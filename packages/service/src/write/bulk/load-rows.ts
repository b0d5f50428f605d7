// The objects of a part of a load as the input of COPY, in its text format.
import { invariant } from '../../base/errors/invariant.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { CanonicalObject } from '../commit/canonicalise-object.ts'
import { sizeOf, type TypeLines } from '../commit/change.ts'
import { loadTable } from './load-table.ts'

export interface PartRows {
  /** By key, so that where a key occurs twice in a part, its last line wins. */
  readonly rows: ReadonlyMap<string, string>
  /** The size of the largest object. */
  readonly largest: number
}

export async function gatherRows(chunks: AsyncIterable<TypeLines> | Iterable<TypeLines>): Promise<PartRows> {
  const rows = new Map<string, string>()
  let largest = 0
  for await (const { changes } of chunks) {
    for (const change of changes) {
      invariant(change.kind === 'put', 'part-with-other-than-puts')
      rows.set(change.object.key, rowText(change.object))
      largest = Math.max(largest, sizeOf(change))
    }
  }
  return { rows, largest }
}

const rowText = ({ key, scalars, others, columns }: CanonicalObject): string => {
  let text = `${field(key)}\t${field(scalars)}\t${field(others)}`
  for (const column of columns) text += `\t${field(column)}`
  return text
}

const special = /[\\\t\n\r]/
const allSpecial = /[\\\t\n\r]/g
const escapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
}

/** Most values need no escape, and finding that out is cheaper than replacing nothing. */
const field = (value: string | null): string => {
  if (value === null) return String.raw`\N`
  return special.test(value) ? value.replace(allSpecial, (character) => escapes[character] ?? '') : value
}

export const copyRows = (type: ObjectType, load: string): string =>
  `copy ${loadTable(type.schema, load)} (part, version_from, ${['pk', 'scalars', 'others', ...type.columns.map(({ name }) => name)].join(', ')}) from stdin`

/** One write to the connection. */
const chunkCharacters = 64 * 1024

/** Every row begins with the part and the version that it has. */
export function* copyChunks(
  { rows }: PartRows,
  { part, version }: { readonly part: string; readonly version: string },
): Generator<Buffer> {
  let text = ''
  for (const row of rows.values()) {
    text += `${part}\t${version}\t${row}\n`
    if (text.length < chunkCharacters) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}
