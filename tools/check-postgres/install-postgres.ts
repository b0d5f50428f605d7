// The programs of one version, installed from npm into a folder that git ignores, and copied to one that the server's user
// can read.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { serverIdentity } from '@octavo/dev-database'
import { packageName, type PostgresVersion } from './versions.ts'

const cache = join(import.meta.dirname, '../../.postgres')

/** The folder with initdb and postgres of that version; `scratch` is used if the server may not read the cache. */
export async function installPostgres(wanted: PostgresVersion, scratch: string): Promise<string> {
  const folder = join(cache, wanted.version)
  const done = join(folder, 'installed')
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true })
    fetchPackage(folder, wanted)
    linkLibraries(join(folder, 'node_modules', packageName))
    writeFileSync(done, '')
  }
  const native = join(folder, 'node_modules', packageName, 'native')
  if (await serverCanRun(native)) return join(native, 'bin')
  // The checkout may be readable only for root, but the server runs as another user.
  const copy = join(scratch, wanted.version)
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  chmodSync(scratch, 0o755)
  if (await serverCanRun(copy)) return join(copy, 'bin')
  throw new Error(`The programs in ${native} do not run here: is this Linux on x64 with glibc?`)
}

/** With a lock file, so that npm verifies the integrity; without scripts, which only do what `linkLibraries` does. */
function fetchPackage(folder: string, { version, integrity }: PostgresVersion): void {
  mkdirSync(folder, { recursive: true })
  const manifest = { private: true, dependencies: { [packageName]: version } }
  const lock = {
    lockfileVersion: 3,
    packages: { '': manifest, [`node_modules/${packageName}`]: { version, integrity } },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** An npm package cannot contain symbolic links, so it lists them. */
function linkLibraries(folder: string): void {
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) symlinkSync(relative(dirname(target), source), join(folder, target))
}

async function serverCanRun(native: string): Promise<boolean> {
  const { status } = spawnSync(join(native, 'bin/postgres'), ['--version'], {
    ...(await serverIdentity()),
    cwd: '/',
    stdio: 'ignore',
  })
  return status === 0
}
