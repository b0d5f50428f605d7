import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, forEachTest } from '@octavo/dev-database/vitest'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runProgram } from '../program.ts'
import { testContext } from '../../test/support/test-context.ts'

const database = forEachTest(freshDatabase)
let folder = ''

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-bootstrap-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
})

const run = async (environment: Readonly<Record<string, string>>, ...words: readonly string[]) => {
  const place = { homeFolder: folder, currentFolder: folder, now: () => new Date() }
  const { context, written, noted } = testContext({ environment, ...place })
  return { code: await runProgram(words, context), out: written(), err: noted() }
}

const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const modeOf = (name: string): number => statSync(join(folder, name)).mode & 0o777
const profiles = '.config/octavo/profiles.yaml'

it('prepares an empty database, and repeated says what is there and changes nothing', async () => {
  const environment = { OCTAVO_DATABASE_URL: database.url }
  execFileSync('psql', [database.url, '-qc', 'drop schema octavo cascade'], { stdio: 'ignore' })
  const first = await run(environment, 'bootstrap')
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toMatch(/^database {2}migrated \(\d+ steps\)\.\nkey {7}made one in octavo\.env/)
  expect(first.out).toMatch(/token {5}made one for admin, with every scope/)
  expect(first.out).toContain('set -a; . ./octavo.env; set +a; octavo serve')
  expect(first.out).not.toContain('oct_')
  expect(read('octavo.env')).toMatch(/^OCTAVO_PAGE_TOKEN_KEYS=k1:[\w-]{43}\nOCTAVO_DATABASE_URL=/)
  expect(read(profiles)).toMatch(/local:\n {4}url: http:\/\/127\.0\.0\.1:8080\n {4}token: oct_[\w-]{43}\n/)
  expect([modeOf('octavo.env'), modeOf(profiles)]).toEqual([0o600, 0o600])

  const before = [read('octavo.env'), read(profiles)]
  // The database is found in the file.
  const again = await run({}, 'bootstrap')
  expect(again).toMatchObject({ code: 0, err: '' })
  for (const text of ['is up to date already', 'octavo.env has one already', 'is there already']) {
    expect(again.out).toContain(text)
  }
  expect([read('octavo.env'), read(profiles)]).toEqual(before)
  const listed = await run(environment, 'token', 'list', '--json', '--database-url', withoutPassword())
  expect(listed.out.trim().split('\n')).toHaveLength(1)
  expect(JSON.parse(listed.out)).toMatchObject({
    subject: 'admin',
    scopes: ['api:ontologies-read', 'api:ontologies-write', 'api:ontologies-admin', 'api:tokens-admin'],
  })
})

const withoutPassword = (): string => {
  const url = new URL(database.url)
  process.env['PGPASSWORD'] = url.password
  url.password = ''
  return url.href
}

it('completes the example of a systemd unit, and keeps its other lines', async () => {
  const example = readFileSync(
    join(import.meta.dirname, '../../../../deploy/systemd/octavo.env.example'),
    'utf8',
  )
  const edited = example.replace(/^OCTAVO_DATABASE_URL=.*$/m, `OCTAVO_DATABASE_URL=${database.url}`)
  writeFileSync(join(folder, 'unit.env'), edited, { mode: 0o644 })
  expect(await run({}, 'bootstrap', '--options-file', 'unit.env')).toMatchObject({ code: 0, err: '' })
  expect(read('unit.env')).not.toContain('replace-me')
  expect(read('unit.env')).toMatch(/OCTAVO_METRICS_PORT=9464\n[^]*\nOCTAVO_PAGE_TOKEN_KEYS=k1:[\w-]{43}\n$/)
  expect(modeOf('unit.env')).toBe(0o600)
})

it('a service that is bootstrapped for another port listens there', async () => {
  const environment = { OCTAVO_DATABASE_URL: database.url }
  const url = 'http://127.0.0.1:8270'
  const ran = await run(environment, 'bootstrap', '--url', url, '--options-file', 'other.env')
  expect(ran).toMatchObject({ code: 0, err: '' })
  expect(read('other.env')).toContain('OCTAVO_PORT=8270\n')
})

it('prints the secrets once where files do not last, and makes no second token', async () => {
  const environment = { OCTAVO_DATABASE_URL: database.url, OCTAVO_PAGE_TOKEN_KEYS: 'k1:x' }
  const printed = await run(environment, 'bootstrap', '--print')
  expect(printed).toMatchObject({ code: 0, out: expect.stringMatching(/^OCTAVO_TOKEN=oct_[\w-]{43}\n$/) })
  expect(printed.err).toContain('OCTAVO_PAGE_TOKEN_KEYS is set already')
  const again = await run(environment, 'bootstrap', '--print')
  expect(again).toMatchObject({ code: 0, out: '' })
  expect(again.err).toContain('not made, because there are administrators already: admin (')
})

it('a token of another service in the profile is not lost', async () => {
  expect((await run({ OCTAVO_DATABASE_URL: database.url }, 'bootstrap')).code).toBe(0)
  const before = read(profiles)
  const other = await freshDatabase()
  try {
    const ran = await run({ OCTAVO_DATABASE_URL: other.url }, 'bootstrap')
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('--profile NAME') })
    expect(read(profiles)).toBe(before)
    const named = await run({ OCTAVO_DATABASE_URL: other.url }, 'bootstrap', '--profile', 'second')
    expect(named).toMatchObject({ code: 0, out: expect.stringContaining('octavo status --profile second') })
  } finally {
    await other.drop()
  }
})

it.each([
  [[], 2, 'Which database?'],
  [['--database-url', 'postgres://ada:hush@127.0.0.1:1/none'], 2, 'would show a password'],
  [
    ['--database-url', 'postgres://127.0.0.1:1/none'],
    1,
    'The database was not migrated (connect ECONNREFUSED',
  ],
])('refuses %j with a sentence', async (words, code, sentence) => {
  const ran = await run({}, 'bootstrap', ...words)
  expect(ran).toMatchObject({ code, out: '', err: expect.stringContaining(sentence) })
  expect(ran.err).not.toContain('hush')
})
