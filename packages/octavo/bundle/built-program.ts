// For tests and proofs that start the command or the service: the bundle of what the source is now. It starts five times as fast as
// the source.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const bundles = join(root, '.bundle')
const inputs = [
  'package-lock.json',
  'packages/octavo/bundle/*.ts',
  'packages/*/package.json',
  'packages/*/src/**/*.ts',
  'packages/service/{migrations,pages}/*',
  'packages/dev-database/guardian.sh',
  'packages/explorer/dist/pages/**/*.{html,js,css}',
]

/** The file to start with Node. Built if no bundle of these inputs exists, so it is never of an earlier source. */
export function builtProgram(name: 'octavo' | 'service'): string {
  bundle ??= bundleOfSource()
  return join(bundle, `${name}.js`)
}

let bundle: string | undefined

function bundleOfSource(): string {
  const folder = join(bundles, hashOfInputs())
  if (!existsSync(folder)) build(folder)
  return folder
}

function hashOfInputs(): string {
  const hash = createHash('sha256')
  for (const path of globSync(inputs, { cwd: root }).toSorted()) {
    if (path.endsWith('.test.ts')) continue
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

/** Others may build the same at the same time: the first one that is complete stays. */
function build(folder: string): void {
  const unfinished = `${folder}.${process.pid}`
  execFileSync(process.execPath, [join(import.meta.dirname, 'build.ts'), unfinished], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    renameSync(unfinished, folder)
  } catch {
    rmSync(unfinished, { recursive: true })
  }
  removeOld()
}

/** A process that was started from an earlier bundle may still load parts of it. */
const keptForMilliseconds = 24 * 60 * 60 * 1_000

function removeOld(): void {
  for (const name of readdirSync(bundles)) {
    const folder = join(bundles, name)
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs !== undefined && mtimeMs < Date.now() - keptForMilliseconds) {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
