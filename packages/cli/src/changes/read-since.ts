// The state that --since names: by its snapshot token, or by a file whose last line has one.
import { open, type FileHandle } from 'node:fs/promises'
import { resolve } from 'node:path'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { aboutFile } from '../base/file-error.ts'

/** Longer than any line with a token. */
const endBytes = 64 * 1_024

export async function readSince(
  since: string,
  { currentFolder }: Pick<CommandContext, 'currentFolder'>,
): Promise<string> {
  const file = await open(resolve(currentFolder, since)).catch((error: NodeJS.ErrnoException) => {
    // A token may be longer than the name of a file can be.
    if (error.code === 'ENOENT' || error.code === 'ENAMETOOLONG') return undefined
    throw error
  })
  if (file === undefined) {
    if (/^[\w-]{40,}$/.test(since)) return since
    throw wrongUse(
      `--since must be a snapshot token, or a file whose last line has one: there is no file ${since}. octavo snapshot prints a token.`,
    )
  }
  const token = tokenIn(await aboutFile(since, () => endOf(file)))
  if (token !== undefined) return token
  throw wrongUse(
    `The last line of ${since} has no snapshot token. Those have one that octavo snapshot, octavo changes and a stream of the service write.`,
  )
}

async function endOf(file: FileHandle): Promise<string> {
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - endBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

function tokenIn(text: string): string | undefined {
  const last = text.trim().split('\n').at(-1)?.trim() ?? ''
  if (/^[\w-]+$/.test(last)) return last
  try {
    const value: unknown = JSON.parse(last)
    const token =
      typeof value === 'object' && value !== null && 'snapshotToken' in value && value.snapshotToken
    return typeof token === 'string' ? token : undefined
  } catch {
    return undefined
  }
}
