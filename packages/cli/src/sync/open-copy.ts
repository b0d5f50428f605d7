// Opens the target of a copy: a SQLite file, or a PostgreSQL database.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { aboutFile } from '../base/file-error.ts'
import type { CopyDatabase } from './copy-database.ts'
import type { CopyTarget } from './to-option.ts'

export async function openCopy(
  { kind, address, name }: CopyTarget,
  { currentFolder }: Pick<CommandContext, 'currentFolder'>,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): Promise<CopyDatabase> {
  if (kind === 'SQLite') {
    const path = resolve(currentFolder, address)
    // Opening it would make an empty one.
    if (mustExist && !existsSync(path)) {
      throw wrongUse(
        `There is no file ${name}: check its name, or make a copy with octavo sync TYPE --to ${name}.`,
      )
    }
    const { openSqlite } = await import('./sqlite-database.ts')
    return aboutFile(name, () => openSqlite(path))
  }
  const { openCopySession } = await import('@octavo/service')
  const { postgresCopy } = await import('./postgres-database.ts')
  return postgresCopy(async () => {
    const session = await openCopySession(address)
    if (session !== undefined) return session
    throw wrongUse(
      `${name} is a database that Octavo itself works in. A copy needs its own: create one, for example with createdb copy.`,
    )
  })
}
