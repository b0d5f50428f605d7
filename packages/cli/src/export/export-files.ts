// The files of an export. They get their names only once all of it is written.
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** In the name of a file, it stands for the number of the partition: every partition gets its own file. */
export const partitionPlaceholder = '{partition}'

export interface ExportFiles {
  /** Where each partition is written until all are finished. */
  readonly written: readonly string[]
  /** Whether they stay separate files, so that each needs a header. */
  readonly areApart: boolean
  /** Joins what was written to what will get a name. Until they have their names, it can be done again. */
  readonly join: () => Promise<void>
  /** Gives the files their names. */
  readonly name: () => Promise<void>
  /** Removes what was written. */
  readonly remove: () => Promise<void>
}

export function exportFiles(path: string, partitions: number): ExportFiles {
  const numbers = Array.from({ length: partitions }, (_, i) => i + 1)
  if (path.includes(partitionPlaceholder)) {
    const names = numbers.map((number) => path.replaceAll(partitionPlaceholder, String(number)))
    const written = names.map(unfinished)
    return {
      written,
      areApart: true,
      join: async () => {},
      remove: () => removeAll(written),
      name: async () => {
        for (const [i, name] of names.entries()) await rename(written[i] ?? '', name)
      },
    }
  }
  const [first = unfinished(path), ...others] = numbers.map((number) =>
    number === 1 ? unfinished(path) : `${unfinished(path)}${number}`,
  )
  return {
    written: [first, ...others],
    areApart: false,
    join: () => append(first, others),
    remove: () => removeAll([first, ...others]),
    name: async () => {
      await rename(first, path)
      await removeAll(others)
    },
  }
}

/** The files that an export keeps of itself: beside what it writes, so that exports to two folders never meet. */
export function besideExport(path: string): { readonly state: string; readonly lock: string } {
  const folder = dirname(path.replaceAll(partitionPlaceholder, '1'))
  const name = `${basename(path)}.octavo-export`
  return { state: join(folder, `${name}.json`), lock: join(folder, `${name}.lock`) }
}

const unfinished = (path: string): string => `${path}.part`

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true })
}

async function append(first: string, others: readonly string[]): Promise<void> {
  for (const other of others) {
    await pipeline(createReadStream(other), createWriteStream(first, { flags: 'a', flush: true }))
  }
}
