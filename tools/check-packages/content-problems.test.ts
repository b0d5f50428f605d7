import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { contentProblems } from './content-problems.ts'

const whole: Readonly<Record<string, string>> = {
  LICENSE: 'Apache',
  'README.md': '# A package',
  'dist/index.js':
    "import { readFileSync } from 'node:fs'\nimport { thing } from 'a-dependency/part'\nexport * from './more.js'\n",
  'dist/index.d.ts': "export declare const thing: import('@scope/other/part').Thing\n",
  'dist/index.js.map': JSON.stringify({ sources: ['../src/index.ts'] }),
  'src/index.ts': "export { thing } from 'a-dependency/part'\n",
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-content-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const problemsOf = (files: Readonly<Record<string, string>>, ...left: readonly string[]) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return contentProblems({
    name: '@octavo/example',
    folder,
    files: Object.keys(files).filter((path) => !left.includes(path)),
    manifest: { dependencies: { 'a-dependency': '1.0.0', '@scope/other': '1.0.0' } },
  })
}

it('finds nothing in a package that is whole', () => {
  expect(problemsOf(whole)).toEqual([])
})

it.each([
  ['LICENSE', 'has no LICENSE; add the file beside package.json'],
  ['README.md', 'has no README.md; add the file beside package.json'],
  [
    'src/index.ts',
    'dist/index.js.map points to src/index.ts, which is not packed: see "files", or remove dist and build',
  ],
])('finds that %s is missing', (path, problem) => {
  expect(problemsOf(whole, path)).toEqual([problem])
})

it.each([
  ['dist/.tsbuildinfo', '', 'dist/.tsbuildinfo is of use to the compiler only; leave it out in "files"'],
  [
    'src/index.test.ts',
    '',
    'src/index.test.ts is packed, but nothing built comes from it; leave it out in "files"',
  ],
  ['dist/more.js', "import 'absent'", 'dist/more.js imports absent, which is not in "dependencies"'],
  [
    'dist/more.js',
    "const { x } = await import('absent')",
    'dist/more.js imports absent, which is not in "dependencies"',
  ],
  [
    'dist/more.d.ts',
    "export {\n  type X,\n} from '@octavo/absent/part'",
    'dist/more.d.ts imports @octavo/absent, which is not in "dependencies"',
  ],
])('finds that %s does not belong there', (path, text, problem) => {
  expect(problemsOf({ ...whole, [path]: text })).toEqual([problem])
})
