// The packages of another commit, runnable beside this checkout: its own code, with today's installed dependencies.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const git = (...words: readonly string[]): Buffer =>
  execFileSync('git', ['-C', root, ...words], { maxBuffer: 2 ** 28 })

export interface CheckedOut {
  readonly folder: string
  readonly remove: () => void
}

export function checkOutCommit(commit: string): CheckedOut {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-commit-'))
  execFileSync('tar', ['--extract', '--directory', folder], { input: git('archive', commit, 'packages') })
  const installed = join(folder, 'node_modules')
  mkdirSync(join(installed, '@octavo'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@octavo') symlinkSync(join(root, 'node_modules', name), join(installed, name))
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(installed, '@octavo', name))
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}
