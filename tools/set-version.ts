// `npm run set-version -- 0.2.0`: sets the version everywhere and its section in the changelog, regenerates, and checks.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { released } from './release/changelog.ts'
import { placesWith } from './release/version-places.ts'

const root = join(import.meta.dirname, '..')
const { positionals } = parseArgs({ allowPositionals: true })
const [version = ''] = positionals
if (!/^\d+[.]\d+[.]\d+$/.test(version) || positionals.length !== 1) {
  console.error('Name the version, for example: npm run set-version -- 0.2.0')
  process.exit(2)
}

const changelog = join(root, 'CHANGELOG.md')
const day = new Date().toISOString().slice(0, 10)
// Computed before anything is written, so that a refusal changes nothing.
const files = [
  ...placesWith(version, root).map(({ path, text }) => ({ path: join(root, path), text })),
  { path: changelog, text: released(readFileSync(changelog, 'utf8'), version, day) },
]
for (const { path, text } of files) writeFileSync(path, text)

const run = (...words: readonly string[]) =>
  execFileSync(process.execPath, ['--conditions=@octavo/source', ...words], { cwd: root, stdio: 'inherit' })
run('tools/generate.ts')
run('tools/check.ts', '--quick')
console.log(`\nThe version is now ${version}. Commit it, and continue with docs/releasing.md.`)
