// All the steps of a new user: real processes, as a shell starts them.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freshDatabase, forAllTests } from '@octavo/dev-database/vitest'
import { afterAll, expect, it } from 'vitest'
import { builtProgram } from '../../octavo/bundle/built-program.ts'
import { temporaryFolder } from '../test/support/temporary-folder.ts'

const main = [builtProgram('octavo')]

const database = forAllTests(freshDatabase)
const folder = temporaryFolder()
let served: ChildProcess | undefined

afterAll(() => served?.kill('SIGKILL'))

const octavo = (words: readonly string[], env: NodeJS.ProcessEnv, input = '') => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...main, ...words], {
    env: { HOME: folder, PATH: process.env['PATH'], ...env },
    cwd: folder,
    encoding: 'utf8',
    input,
  })
  return { status, stdout, stderr }
}

const serve = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const child = spawn(process.execPath, [...main, 'serve', '--port', '0'], {
    env: { HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  served = child
  for await (const line of createInterface({ input: child.stdout })) {
    const { kind, address }: Record<string, unknown> = JSON.parse(line)
    if (kind === 'service-listening') {
      child.stdout.resume()
      return String(address)
    }
  }
  throw new Error('The service ended before it listened.')
}

it('migrate, first token, serve, apply, load, look, export, stop', async () => {
  const onDatabase = { OCTAVO_DATABASE_URL: database.url }
  expect(octavo(['migrate', '--log-level', 'warn'], onDatabase)).toEqual({
    status: 0,
    stdout: '',
    stderr: '',
  })
  const scopes = ['ontologies-read', 'ontologies-write', 'ontologies-admin', 'tokens-admin'].flatMap(
    (scope) => ['--scope', `api:${scope}`],
  )
  const made = octavo(['token', 'create', '--subject', 'ada', ...scopes], onDatabase)
  expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^oct_/) })

  // The command's own settings in the environment do not disturb the service.
  const client = { OCTAVO_TOKEN: made.stdout.trim(), OCTAVO_ONTOLOGY: 'air' }
  const keys = { OCTAVO_PAGE_TOKEN_KEYS: `a:${Buffer.alloc(32).toString('base64url')}` }
  const url = await serve({ ...onDatabase, ...keys, ...client, OCTAVO_PROFILE: '' })
  const settings = { ...client, OCTAVO_URL: url }

  writeFileSync(
    join(folder, 'air.yaml'),
    `ontology: { apiName: air, displayName: Air, apiFamilies: [air] }
objectTypes:
  - apiName: flight
    displayName: Flight
    primaryKey: id
    titleProperty: id
    properties: { id: { type: string }, delay: { type: integer, searchable: true, sortable: true } }
`,
  )
  expect(octavo(['apply', '-f', 'air.yaml'], settings)).toMatchObject({ status: 0, stderr: '' })
  const flights = Array.from({ length: 2_500 }, (_, i) => ({
    id: `f-${String(i).padStart(4, '0')}`,
    delay: i,
  }))
  writeFileSync(
    join(folder, 'flights.ndjson'),
    flights.map((flight) => `${JSON.stringify(flight)}\n`).join(''),
  )
  expect(octavo(['load', 'flight', 'flights.ndjson'], settings)).toMatchObject({ status: 0 })

  const listed = octavo(['list', 'flight', '--order-by', 'delay:desc', '--limit', '2'], settings)
  expect(listed).toMatchObject({ status: 0, stdout: 'id      delay\nf-2499   2499\nf-2498   2498\n' })
  expect(octavo(['status'], settings).stdout).toMatch(/flight +2,500 /)
  const exported = octavo(['export', 'flight'], settings)
  expect(exported.status).toBe(0)
  expect(
    exported.stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual(flights)

  const ended = served === undefined ? undefined : once(served, 'exit')
  served?.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(octavo(['status'], settings)).toMatchObject({ status: 1, stdout: '' })
})

it('a reader that has seen enough ends the command without noise', () => {
  const script = `"$0" "$@" | head -1`
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['-c', script, process.execPath, ...main, 'completion', 'bash'],
    {
      encoding: 'utf8',
    },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^# octavo in bash/)
})
