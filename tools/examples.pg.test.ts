// Runs every example, as examples/README.md says, against a service with the collection of `npm run dev`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { DatabaseSync } from 'node:sqlite'
import { exampleObjects } from '@octavo/cli'
import { freshDatabase } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetChanges } from '../packages/cli/test/support/forget-changes.ts'
import { startTestService, type TestService } from '../packages/service/test/support/start-test-service.ts'
import { makeExampleOntology } from './dev/example-ontology.ts'
import { freePort } from '@octavo/dev-database'

const examples = join(import.meta.dirname, '../examples')
let service: TestService
let [token, rid, databaseUrl, copy] = ['', '', '', '']
let pagePort = 0
let folder = ''

beforeAll(async () => {
  const database = await freshDatabase()
  pagePort = await freePort()
  service = await startTestService({
    databaseUrl: database.url,
    // As `npm run dev` and `octavo dev` start it.
    environment: { OCTAVO_CORS_ORIGINS: 'loopback' },
  })
  databaseUrl = database.url
  ;({ token, rid } = await makeExampleOntology(databaseUrl))
  folder = mkdtempSync(join(tmpdir(), 'octavo-examples-'))
  copy = join(folder, 'copy.sqlite')
  symlinkSync(join(examples, '../node_modules'), join(folder, 'node_modules'))
})

afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

const start = (name: string, ...settings: readonly string[]) =>
  spawn(process.execPath, ['--conditions=@octavo/source', resolve(examples, name), ...settings], {
    env: { ...process.env, OCTAVO_URL: service.url, OCTAVO_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

async function run(name: string, ...settings: readonly string[]) {
  const child = start(name, ...settings)
  const [lines, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number]>])
  return { code, lines: lines.trim().split('\n') }
}

const commit = async (...lines: readonly object[]): Promise<void> => {
  const answer = await fetch(`${service.url}/manage/v1/ontologies/${rid}/objectTypes/employee/batches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

const inCopy = (statement: string): readonly object[] => {
  const database = new DatabaseSync(copy)
  try {
    return database
      .prepare(statement)
      .all()
      .map((row) => ({ ...row }))
  } finally {
    database.close()
  }
}

it('walk-everything.ts reads every object', async () => {
  const { code, lines } = await run('walk-everything.ts')
  expect({ code, count: lines.length, first: lines[0], last: lines.at(-1) }).toEqual({
    code: 0,
    count: 13,
    first: 'Mira Okafor, "Catalogue"',
    last: '12 employees',
  })
})

it('resume-after-a-crash.ts copies every object once, however often it crashes', async () => {
  const file = join(folder, 'progress.json')
  const copied = () =>
    (JSON.parse(readFileSync(file, 'utf8')) as { copied: { primaryKey: string }[] }).copied.map((each) =>
      Number(each.primaryKey),
    )
  expect((await run('resume-after-a-crash.ts', file, '1')).code).toBe(1)
  expect(copied()).toHaveLength(5)
  expect((await run('resume-after-a-crash.ts', file, '1')).code).toBe(1)
  expect(copied()).toHaveLength(10)
  const { code, lines } = await run('resume-after-a-crash.ts', file)
  expect({ code, said: lines[0] }).toEqual({
    code: 0,
    said: `12 employees are in ${file}; this run read 1 pages`,
  })
  expect(copied()).toEqual(Array.from({ length: 12 }, (_, i) => 1001 + i))
})

it('report-from-a-snapshot.ts counts by department', async () => {
  expect(await run('report-from-a-snapshot.ts')).toEqual({
    code: 0,
    lines: [
      'Archive: 2 since 2013-07-15',
      'Bindery: 2 since 2011-01-10',
      'Catalogue: 2 since 2014-03-03',
      'Loans: 2 since 2016-08-08',
      'Maps: 2 since 2009-05-04',
      'Reading room: 2 since 2017-11-20',
    ],
  })
})

describe('incremental-source.py', () => {
  const load = async (as = token) => {
    const child = spawn('python3', [join(examples, 'incremental-source.py'), copy], {
      env: { ...process.env, OCTAVO_URL: service.url, OCTAVO_TOKEN: as },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { out: out.trim(), err: err.trim() }
  }
  const said = (what: string) => ({ out: `${what}: 12 employees in ${copy}`, err: '' })

  it('stores what has changed since its last run', async () => {
    expect(await load()).toEqual(said('12 put, 0 deleted'))
    expect(await load()).toEqual(said('0 put, 0 deleted'))
    const [first] = exampleObjects
    await commit(
      { type: 'delete', primaryKey: 1002 },
      { type: 'put', properties: { ...first, fullName: 'Mira' } },
    )
    expect((await load()).out).toContain('1 put, 1 deleted: 11 employees')
    const [row] = inCopy(
      `select json_extract(properties, '$.fullName') as name from employee where id = '1001'`,
    )
    expect(row).toEqual({ name: 'Mira' })
    await commit(...exampleObjects.map((properties) => ({ type: 'put', properties })))
    expect(await load()).toEqual(said('2 put, 0 deleted'))
  })

  it('reads everything again if the changes are not known any more', async () => {
    await commit({ type: 'delete', primaryKey: 1002 })
    await commit(...exampleObjects.map((properties) => ({ type: 'put', properties })))
    await forgetChanges(databaseUrl)
    expect(await load()).toEqual({
      out: said('12 put, 0 deleted').out,
      err: expect.stringContaining('Everything is read again.') as string,
    })
  })

  it('stores nothing if it fails, however much it has done', async () => {
    inCopy('delete from state')
    expect((await load('wrong')).err).toContain('Default:Unauthorized')
    expect(inCopy('select id from employee')).toHaveLength(12)
    expect(await load()).toEqual(said('12 put, 0 deleted'))
  })
})

it('the web page searches from a real browser, and shows why it cannot', async () => {
  const server = start('browser/serve.ts', String(pagePort))
  try {
    await once(server.stdout, 'data')
    const all = await seenBy({ url: service.url, token })
    expect(all).toContain('12 found')
    expect(all).toContain('<li>Mira Okafor, Catalogue</li>')
    const some = await seenBy({ url: service.url, token, name: 'ain' })
    expect(some).toContain('0 found')
    expect(await seenBy({ url: service.url, token, name: 'Aik' })).toContain('<li>Aiko Tanaka, Maps</li>')
    expect(await seenBy({ url: service.url, token: 'wrong' })).toContain(
      'Default:Unauthorized: The token was refused.',
    )
    expect(await seenBy({ url: service.url, token: '' })).toContain('`token` must be a bearer token')
  } finally {
    server.kill()
  }
})

it('the programs in the READMEs run as they stand', async () => {
  // The one in README.md reads the collection of the demo.
  const readmes = { 'packages/client/README.md': 7, 'README.md': 1 }
  const said: string[] = []
  for (const [readme, count] of Object.entries(readmes)) {
    const text = readFileSync(join(examples, '..', readme), 'utf8')
    const programs = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, program = '']) => program)
    expect(programs, readme).toHaveLength(count)
    // The others begin with the lines of the first that make the client.
    const [setUp = ''] = programs[0]?.split('\nfor await') ?? []
    for (const [i, program] of programs.entries()) {
      const file = join(folder, `program-${i}.mts`)
      writeFileSync(
        file,
        (program.startsWith('import ') ? program : `${setUp}\n${program}`).replace(
          "family('aviation').objects('flight')",
          "family('example').objects('employee')",
        ),
      )
      const { code, lines } = await run(file)
      expect(code, program).toBe(0)
      said.push(lines[0] ?? '')
    }
  }
  expect(said).toEqual([
    'Mira Okafor',
    expect.stringContaining('['),
    expect.stringMatching(/^12 employees; this state can be read until \d+-/),
    '12 of 12 employees, in 3 partitions.',
    expect.stringMatching(/^12 of 12 employees, at version \d+\.$/),
    expect.stringMatching(/^from \d+ \(.*\) to now: /),
    '12 employees, continued in a later state 0 times.',
    '{',
  ])
})

it('an example without settings says which one is missing', async () => {
  const child = spawn(
    process.execPath,
    ['--conditions=@octavo/source', join(examples, 'walk-everything.ts')],
    { env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  expect(await text(child.stderr)).toContain('`token` must be a bearer token, but is an empty text.')
})

/** The page once it has settled. */
async function seenBy(settings: Readonly<Record<string, string>>): Promise<string> {
  const page = `http://127.0.0.1:${pagePort}/#${new URLSearchParams(settings).toString()}`
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(folder, 'chromium')}`]
  const browser = spawn('chromium', [...flags, '--virtual-time-budget=10000', '--dump-dom', page], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [seen] = await Promise.all([text(browser.stdout), once(browser, 'exit')])
  return seen
}
