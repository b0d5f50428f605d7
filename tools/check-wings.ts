// Deletes every wing of the service in a copy. What is left must compile; with --tests, its tests must pass too.
import { spawn } from 'node:child_process'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { scratchCopy } from './check/scratch-copy.ts'

const source = 'packages/service/src'
const { folder, remove } = await scratchCopy()

const root = join(import.meta.dirname, '..')

const run = (...words: readonly [string, ...string[]]): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd: folder, stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })

async function leaveOutWings(): Promise<readonly string[]> {
  const list = join(folder, source, 'wings.ts')
  const text = await readFile(list, 'utf8')
  const wings = [...text.matchAll(/^export \{ \w+ \} from '\.\/(.+)'$/gm)].map(([, path = '']) =>
    dirname(path),
  )
  for (const wing of wings) await rm(join(folder, source, wing), { recursive: true })
  await writeFile(list, 'export {}\n')
  return wings
}

const include = ['packages/service/src', 'packages/service/test', 'packages/*/src/**/*.d.ts']
const config = { extends: './tsconfig.json', include }

try {
  const wings = await leaveOutWings()
  if (wings.length === 0)
    throw new Error('wings.ts lists no wing, so this proves nothing: look at how it names them.')
  await writeFile(join(folder, 'tsconfig.without-wings.json'), JSON.stringify(config))
  const compiled = await run('node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.without-wings.json')
  // Built, not copied.
  await symlink(join(root, 'packages/explorer/dist'), join(folder, 'packages/explorer/dist'))
  const passed =
    compiled === 0 && process.argv.includes('--tests')
      ? await run(
          'node_modules/vitest/vitest.mjs',
          'run',
          'packages/service',
          '--project=pure',
          '--project=pg',
        )
      : 0
  process.exitCode = compiled || passed
  console.log(`Without ${wings.join(' and ')}: ${process.exitCode === 0 ? 'holds' : 'does not hold'}.`)
} finally {
  await remove()
}
