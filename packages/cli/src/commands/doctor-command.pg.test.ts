// Each check is tested by causing its problem.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { DatabaseFacts } from '@octavo/service'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { judgeDatabase, judgeNodes } from '../doctor/check-database.ts'
import { checkNode } from '../doctor/check-node.ts'
import type { Finding } from '../doctor/finding.ts'
import { testContext } from '../../test/support/test-context.ts'
import { serveOctavo, type ServedOctavo } from '../../test/support/served-octavo.ts'

const octavo = forAllTests(serveOctavo)
const keys = `k1:${Buffer.alloc(32).toString('base64url')}`

type Parts = Parameters<ServedOctavo['runWith']>[0]

const examine = async (variables: Readonly<Record<string, string>> = {}, parts: Parts = {}) => {
  const environment = {
    OCTAVO_URL: octavo.url,
    OCTAVO_TOKEN: octavo.token,
    OCTAVO_DATABASE_URL: octavo.databaseUrl,
    OCTAVO_PAGE_TOKEN_KEYS: keys,
    OCTAVO_PORT: '0',
    ...variables,
  }
  const { code, out } = await octavo.runWith({ environment, ...parts }, 'doctor', '--json')
  const findings = out
    .trim()
    .split('\n')
    .map((line): Finding => JSON.parse(line))
  // The databases of tests are made without fsync.
  return {
    code,
    findings,
    wrong: findings.filter(({ state, text }) => state !== 'ok' && !text.includes('fsync')),
  }
}

const caused = async (
  check: string,
  state: Finding['state'],
  variables: Record<string, string>,
  parts?: Parts,
) => {
  const { code, wrong } = await examine(variables, parts)
  const found = wrong.find((finding) => finding.check === check)
  expect(found).toMatchObject({ state })
  if (state === 'problem') expect(code).toBe(1)
  return found
}

it('a deployment that is well has only lines that begin with ok', async () => {
  const { findings, wrong } = await examine()
  expect(wrong).toEqual([])
  const checked = new Set(findings.map(({ check }) => check))
  for (const check of [
    'node',
    'service',
    'version',
    'clock',
    'token',
    'database',
    'rights',
    'migrations',
    'keys',
  ]) {
    expect(checked).toContain(check)
  }
})

it('without a database checks the service and the token, and prints a line for each', async () => {
  const { code, out } = await octavo.run('doctor')
  expect(code).toBe(0)
  expect(out).toMatch(/^ok {8}node {9}Node 2\d\.\d+\.\d+\nok {8}service /)
  expect(out).toMatch(/ok {8}token {8}it may read, write objects, manage definitions/)
})

it('a service that is away, and one with the wrong scheme', async () => {
  const away = await caused('service', 'problem', { OCTAVO_URL: 'http://127.0.0.1:9' })
  expect(away?.mend).toBe('octavo serve')
  const scheme = await caused('service', 'problem', { OCTAVO_URL: octavo.url.replace('http', 'https') })
  expect(scheme?.mend).toBe(`octavo login --url ${octavo.url}`)
})

it('a wrong token, and none', async () => {
  expect(await caused('token', 'problem', { OCTAVO_TOKEN: 'oct_wrong' })).toMatchObject({
    mend: 'octavo login',
  })
  expect(await caused('token', 'warning', { OCTAVO_TOKEN: '' })).toMatchObject({ mend: 'octavo login' })
})

it('a database that does not answer', async () => {
  const found = await caused('database', 'problem', { OCTAVO_DATABASE_URL: 'postgres://127.0.0.1:9/none' })
  expect(found?.text).toContain('ECONNREFUSED')
})

it('too few connections for the options', async () => {
  expect((await caused('connections', 'problem', { OCTAVO_WORKERS: '100' }))?.mend).toContain(
    'alter system set max_connections = 1010',
  )
})

it('clocks that differ', async () => {
  const now = () => new Date(Date.now() + 90_000)
  expect((await caused('clock', 'problem', {}, { now }))?.text).toMatch(/is (89|90|91) s behind this machine/)
})

it('keys that are missing, and options that are refused', async () => {
  expect((await caused('keys', 'problem', { OCTAVO_PAGE_TOKEN_KEYS: '' }))?.mend).toBe('octavo bootstrap')
  expect((await caused('options', 'problem', { OCTAVO_PROT: '1' }))?.text).toContain(
    'did you mean OCTAVO_PORT?',
  )
})

it('an origin without TLS', async () => {
  const found = await caused('origins', 'warning', { OCTAVO_CORS_ORIGINS: 'http://app.example.com' })
  expect(found?.mend).toBe('export OCTAVO_CORS_ORIGINS=https://app.example.com')
})

it('pages of this machine are well, by the name that stands for them', async () => {
  const { findings, wrong } = await examine({ OCTAVO_CORS_ORIGINS: 'loopback' })
  expect(wrong).toEqual([])
  expect(findings.filter(({ check }) => check === 'origins')).toHaveLength(1)
})

it('a port that something else uses, and none where the service itself does', async () => {
  const other = createServer((socket) => void socket.end('x')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  expect((await caused('port', 'problem', { OCTAVO_PORT: port }))?.mend).toMatch(/^octavo serve --port \d+$/)
  other.close()
  const { findings } = await examine({ OCTAVO_PORT: new URL(octavo.url).port })
  expect(findings).toContainEqual(expect.objectContaining({ check: 'port', state: 'ok' }))
})

it('a standby that does not answer, and one that is none', async () => {
  const away = { OCTAVO_DATABASE_REPLICA_URLS: 'postgres://127.0.0.1:9/none' }
  expect((await caused('replicas', 'problem', away))?.mend).toBe('pg_isready --host 127.0.0.1 --port 9')
  await caused('replicas', 'warning', { OCTAVO_DATABASE_REPLICA_URLS: octavo.databaseUrl })
})

it('missing migrations', async () => {
  const sql = (text: string) =>
    execFileSync('psql', [octavo.databaseUrl, '-qAtc', text], { encoding: 'utf8' })
  const name = sql(
    'delete from octavo.migrations where id = (select max(id) from octavo.migrations) returning name',
  )
  try {
    expect((await caused('migrations', 'problem', {}))?.mend).toBe('octavo migrate')
    expect((await caused('service', 'problem', {}))?.mend).toBe('octavo migrate')
  } finally {
    sql(`insert into octavo.migrations (name, run_on) values ('${name.trim()}', now())`)
  }
})

const facts: DatabaseFacts = {
  versionNumber: 150_004,
  version: '15.4',
  database: 'd',
  user: 'u',
  encoding: 'UTF8',
  isStandby: false,
  mayCreateSchemas: true,
  ownsSchema: true,
  maxConnections: 100,
  fsync: true,
  walLevel: 'replica',
  missingMigrations: [],
  clock: new Date(),
  nodes: undefined,
}

// What a test cannot cause on the server that all tests share.
it.each<[Partial<DatabaseFacts>, string, RegExp]>([
  [{ versionNumber: 140_009, version: '14.9' }, 'database', /PostgreSQL 15 or later/],
  [{ mayCreateSchemas: false }, 'rights', /grant create on database "d" to "u"/],
  [{ ownsSchema: false }, 'rights', /alter schema octavo owner to "u"/],
  [{ encoding: 'LATIN1' }, 'encoding', /--encoding UTF8/],
  [{ fsync: false }, 'settings', /alter system set fsync = on/],
  [{ nodes: [{ address: 'w-1:5432', isReachable: false }] }, 'citus', /--host w-1 --port 5432/],
])('%j is a problem of %s', (different, check, mend) => {
  const all = { ...facts, ...different }
  const problems = [...judgeDatabase(all, undefined), ...judgeNodes(all)].filter(
    ({ state }) => state === 'problem',
  )
  expect(problems).toEqual([expect.objectContaining({ check, mend: expect.stringMatching(mend) })])
})

it('an old Node', async () => {
  const found = await checkNode({ context: testContext().context, nodeVersion: '20.1.0' })
  expect(found).toMatchObject([{ state: 'problem' }])
})
