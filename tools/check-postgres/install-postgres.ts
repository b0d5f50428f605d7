// The programs of one version, installed from npm into a folder that git ignores, and copied to one that the server's user
// can read.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { installPackage, serverIdentity } from '@octavo/dev-database'
import { packageName, type PostgresVersion } from './versions.ts'

const cache = join(import.meta.dirname, '../../.postgres')

/** The folder with initdb and postgres of that version; `scratch` is used if the server may not read the cache. */
export async function installPostgres(wanted: PostgresVersion, scratch: string): Promise<string> {
  const folder = join(cache, `postgresql-${wanted.version}`)
  if (!existsSync(folder)) await installPackage({ ...wanted, name: packageName }, folder)
  const native = join(folder, 'native')
  if (await serverCanRun(native)) return join(native, 'bin')
  // The checkout may be readable only for root, but the server runs as another user.
  const copy = join(scratch, wanted.version)
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  chmodSync(scratch, 0o755)
  if (await serverCanRun(copy)) return join(copy, 'bin')
  throw new Error(`The programs in ${native} do not run here: is this Linux on x64 with glibc?`)
}

async function serverCanRun(native: string): Promise<boolean> {
  const { status } = spawnSync(join(native, 'bin/postgres'), ['--version'], {
    ...(await serverIdentity()),
    cwd: '/',
    stdio: 'ignore',
  })
  return status === 0
}
