// Only this file reads the errors of the file system: each becomes a sentence that says what to do.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'

/** A file could not be read or written. */
export class FileError extends CliError {
  override readonly name = 'FileError'
}

/** Runs the work on a file; the error names the file as the user did. */
export async function aboutFile<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw fileErrorOf(error, name) ?? error
  }
}

/** Undefined if the file system did not cause the error. */
export function fileErrorOf(error: unknown, name?: string): FileError | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  const path = pathIn(error)
  const shown = name ?? path
  const known = sentences[error.code]
  if (shown === undefined || (known === undefined && !('syscall' in error))) return undefined
  const file = { name: shown, path: path ?? shown }
  const sentence = known?.(file) ?? `${shown} cannot be read or written (${error.code}).`
  const code = isFullDisk(error.code) || known === undefined ? exitCodes.failed : exitCodes.wrongUse
  return new FileError(sentence, code, { cause: error })
}

interface NamedFile {
  /** As it is shown to the user. */
  readonly name: string
  readonly path: string
}

const folderOf = ({ name }: NamedFile): string => `${name} is a folder: give the name of a file.`
const notPermitted = ({ name }: NamedFile): string =>
  `You may not read or write ${name}: check its permissions and those of its folder, or name another file.`
const noRoom = ({ name }: NamedFile): string =>
  `There is no room left for ${name}: free space on its disk, or write to another one.`

const sentences: Readonly<Record<string, ((file: NamedFile) => string) | undefined>> = {
  ENOENT: ({ name, path }) =>
    /^https?:/.test(name)
      ? `${name} is not a file: download it first, for example with curl -O, and give the name of the file.`
      : existsSync(dirname(path)) || dirname(name) === '.'
        ? `There is no file ${name}: check its name and the folder you are in.`
        : `There is no folder ${dirname(name)}: create it, or name another one.`,
  EISDIR: folderOf,
  ERR_FS_EISDIR: folderOf,
  ENOTDIR: ({ name }) => `There is no ${name}: a part of its path is a file, not a folder.`,
  EACCES: notPermitted,
  EPERM: notPermitted,
  EROFS: ({ name }) => `${name} is on a disk that can only be read: name another file.`,
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  ELOOP: ({ name }) => `${name} is a symbolic link: remove it, or name another file.`,
  ENAMETOOLONG: ({ name }) => `The name ${name} is too long: choose a shorter one.`,
}

const isFullDisk = (code: string): boolean => code === 'ENOSPC' || code === 'EDQUOT'

/** A file that is being written has another name until it is complete. */
function pathIn(error: object): string | undefined {
  const path = 'path' in error ? error.path : undefined
  return typeof path === 'string' ? path.replace(/[.]part$/, '') : undefined
}
