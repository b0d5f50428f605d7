import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { findBinaries } from './find-binaries.ts'
import { runProgram } from './run-program.ts'

/** Whether the PostgreSQL that `findBinaries` finds has the Citus extension. */
export async function hasCitus(): Promise<boolean> {
  const { folder } = await findBinaries()
  const asked = await runProgram(join(folder, 'pg_config'), ['--pkglibdir'])
  const libraries = [asked, join(folder, '../lib'), join(folder, '../lib/postgresql')]
  const found = await Promise.all(
    libraries.filter((library) => library !== undefined).map((library) => exists(join(library, 'citus.so'))),
  )
  return found.includes(true)
}

export async function requireCitus(): Promise<void> {
  if (await hasCitus()) return
  const { folder, majorVersion } = await findBinaries()
  throw new Error(
    `Citus is not installed for the PostgreSQL ${majorVersion} in ${folder}. Install its package ` +
      `(postgresql-${majorVersion}-citus-13.2 from Citus' repository), or set OCTAVO_POSTGRES_BIN to a PostgreSQL that has it.`,
  )
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
