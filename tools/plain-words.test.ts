// A native reader reads a sentence twice where one of these words stands for a plainer one.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

const advice: Readonly<Record<string, string>> = {
  told: 'Things are returned, shown, sent or reported; only people are told.',
  whoever: 'Name who it is: a caller, a reader, a client, the person who signs in.',
  'goes on': 'Write "continues", "keeps working" or "runs".',
  'go on': 'Write "continue", "keep working" or "run".',
  'of its own': 'Write "its own", "a separate", "a new", or leave it out.',
  anew: 'Write "again", or "a new" with its noun.',
}

interface Exception {
  readonly file: string
  /** The words around it, on one line. */
  readonly phrase: string
}

/** Here the word is right: a person, or a program that takes the place of one, is told something. */
const inDocuments: readonly Exception[] = [
  { file: 'docs/build/agents.md', phrase: 'assumes that it has seen everything unless told otherwise' },
  { file: 'docs/reference/agents.md', phrase: 'assumes that it has seen everything unless told otherwise' },
]
const inCode: readonly Exception[] = [
  { file: 'packages/octavo/test/old-node.test.ts', phrase: 'is told which one is needed' },
  { file: 'packages/protocol/src/base/limits.ts', phrase: 'the client is told to load the set again' },
  { file: 'packages/service/src/guard/admit/stream-turns.test.ts', phrase: 'is told to come back' },
  { file: 'packages/service/src/main.pg.test.ts', phrase: 'a service told to stop' },
  { file: 'packages/service/src/main.pg.test.ts', phrase: 'ends at once when told again' },
  {
    file: 'packages/service/src/official-clients/promises/sign-in-leads-to-listed-apps-only.pg.test.ts',
    phrase: 'the app is told',
  },
  { file: 'packages/service/src/upkeep/prune/prune-staged.pg.test.ts', phrase: 'its client is told' },
  {
    file: 'packages/service/test/promises/an-identity-provider-lets-its-callers-in.pg.test.ts',
    phrase: 'the caller with an unknown key is told to retry',
  },
  { file: 'tools/the-explorer-shows-what-was.pg.test.ts', phrase: 'readers are told why not' },
]
const exceptions = [...inDocuments, ...inCode]

const built = new Set(['node_modules', 'dist', 'bundle', 'build'])
const paths = globSync('**/*.{md,ts,tsx,js,mjs}', {
  cwd: root,
  exclude: (path) =>
    path
      .split('/')
      .some((name) => built.has(name) || (name.startsWith('.') && name !== '.' && name !== '.github')),
}).filter((path) => path !== 'tools/plain-words.test.ts')

/** As it is read: a sentence that is wrapped over lines of a document or a comment is one line. */
const asRead = (text: string): string => text.replaceAll(/\n[ \t]*(?:\/\/|\*(?!\*)|>)?[ \t]*/g, ' ')

/** Not the address of a link, and not a word that is spoken about, as in `anew` or *anew*. */
const word = /(?<![\w`*-]|\]\([^) ]*)(told|whoever|goes on|go on|of its own|anew)(?![\w`*-])/gi

function wordsIn(file: string, text: string): readonly string[] {
  const read = exceptions
    .filter((exception) => exception.file === file)
    .reduce((left, { phrase }) => left.replaceAll(phrase, ''), asRead(text))
  return [...read.matchAll(word)].map(({ 0: found, index }) => {
    const around = read.slice(Math.max(0, index - 60), index + found.length + 30).trim()
    return `${file}: "... ${around} ...". ${advice[found.toLowerCase()]}`
  })
}

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

it('documents, comments, titles and texts use plain words', () => {
  expect(paths.length).toBeGreaterThan(1_000)
  expect(paths.flatMap((path) => wordsIn(path, textOf(path)))).toEqual([])
})

it('each exception is still there, and there are few', () => {
  expect(exceptions.filter(({ file, phrase }) => !asRead(textOf(file)).includes(phrase))).toEqual([])
  expect(inDocuments.length).toBeLessThanOrEqual(40)
  expect(inCode.length).toBeLessThanOrEqual(60)
})

describe('the words', () => {
  it.each([
    ['The walk goes on.', 'goes on'],
    ['Whoever reads', 'Whoever'],
    ['// made in a transaction of\n  // its own', 'of its own'],
    ['the client is `told` what it is told', 'told'],
  ])('%j is found, with what to write instead', (text, found) => {
    expect(wordsIn('a.md', text)).toEqual([expect.stringContaining(advice[found.toLowerCase()] ?? 'none')])
  })

  it.each([
    'Write *again*, not *anew*.',
    '[commits](promises/commits-are-told-to-readers.pg.test.ts)',
    'toldId, untold',
  ])('%j is left alone', (text) => {
    expect(wordsIn('a.md', text)).toEqual([])
  })
})
