// Whether a file that is said to be whole is the state that is named.
import { join } from 'node:path'
import type { History } from './history.ts'
import { orderedText, readExported, type Format } from './read-exported.ts'
import type { Ended } from '../start-octavo-command.ts'

export interface WantedExport {
  /** The name that is given; it may have `{partition}`. */
  readonly out: string
  readonly format: Format
  readonly parts: number
  /** Only those whose `n` is less. */
  readonly below: number | undefined
}

export const wordsOf = (
  { out, parts, below }: WantedExport,
  ...flags: readonly string[]
): readonly string[] => [
  'export',
  'thing',
  '--out',
  out,
  '--json',
  ...(parts > 1 ? ['--partitions', String(parts)] : []),
  ...(below === undefined ? [] : ['--where', `n lt ${below}`]),
  ...flags,
]

export const saysWhole = ({ code }: Ended): boolean => code === 0

/** The fault of the file; undefined if it is whole. */
export async function judge(
  folder: string,
  { out, format, below }: WantedExport,
  ended: Ended,
  history: History,
): Promise<string | undefined> {
  const said = JSON.parse(ended.out) as {
    readonly objectCount: number
    readonly version: string
    readonly fileCount?: number
  }
  const names = out.includes('{partition}')
    ? Array.from({ length: said.fileCount ?? 0 }, (_, i) => out.replaceAll('{partition}', String(i + 1)))
    : [out]
  const expected = history.at(Number(said.version), below).map(orderedText)
  const found: string[] = []
  try {
    for (const name of names) found.push(...(await readExported(join(folder, name), format)))
  } catch (error) {
    return `${out} was said to be whole, and cannot be read: ${String(error)}`
  }
  if (said.objectCount !== expected.length)
    return `${out} was said to have ${said.objectCount} objects of ${expected.length}`
  if (found.length !== expected.length) return `${out} has ${found.length} objects of ${expected.length}`
  const wrong = expected.findIndex((text, i) => text !== found[i])
  return wrong === -1
    ? undefined
    : `${out} has ${found[wrong]}, and at ${said.version} it is ${expected[wrong]}`
}
