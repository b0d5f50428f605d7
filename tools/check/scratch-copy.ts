import { cp, mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const copied = [
  '.dependency-cruiser.mjs',
  'package.json',
  'README.md',
  'deploy',
  'docs',
  'examples',
  'tsconfig.json',
  'tsconfig.base.json',
  'vitest.config.ts',
  'packages',
  'tools',
  'proofs',
  'site',
  'spec',
]

/** A copy of the repository that can be broken: it shares the installed packages and has its own workspace packages. */
export async function scratchCopy(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-scratch-'))
  for (const name of copied) {
    await cp(join(root, name), join(folder, name), {
      recursive: true,
      filter: (source) => !/\/(node_modules|dist)$/.test(source),
    })
  }
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@octavo'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@octavo') await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  for (const name of await readdir(join(root, 'node_modules/@octavo'))) {
    // Workspace links are relative, so the same link in the copy leads to the copied package.
    await symlink(await readlink(join(root, 'node_modules/@octavo', name)), join(modules, '@octavo', name))
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export async function addFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}
