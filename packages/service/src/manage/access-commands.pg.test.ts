import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashOfToken } from '../auth/access-token.ts'
import type { Store } from '../open-store.ts'
import { openTestStore } from '../testing/open-test-store.ts'
import { readAccessCommand } from './access-commands.ts'

let database: FreshDatabase
let store: Store
let rid = ''

beforeAll(async () => {
  database = await freshDatabase()
  store = openTestStore({ databaseUrl: database.url })
  rid = (await store.applyOntology({ apiName: 'library', displayName: 'Library' })).rid
})

afterAll(async () => {
  await store.database.close()
  await database.drop()
})

const now = () => new Date('2026-02-03T04:05:06Z')
const run = (...words: string[]) => readAccessCommand(words).run({ database: store.database, now })

it('makes a token, shows it once and keeps its hash only', async () => {
  const words =
    'token create --subject nightly-import --group staff --group robots --scope api:read-data --scope=api:ontologies-write --expires 30d --description loads'
  const said = await run(...words.split(' '))
  const [, id = ''] = /^Made the access token ([0-9a-f-]{36}) of nightly-import\./.exec(said) ?? []
  const token = said.split('\n').at(-1) ?? ''
  expect(token).toMatch(/^oct_[A-Za-z0-9_-]{43}$/)
  expect(said).toContain('It expires at 2026-03-05T04:05:06.000Z.')

  const rows = await store.database.rows({ text: 'select * from octavo.access_tokens', values: [] })
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ hash: hashOfToken(token) })
  expect(JSON.stringify(rows)).not.toContain(token.slice(4))

  const listed = (await run('token', 'list')).split('\n')
  expect(listed[1]?.split('\t')).toEqual([
    id,
    'nightly-import',
    'staff,robots',
    'api:ontologies-read,api:ontologies-write',
    '2026-02-03T04:05:06Z',
    '2026-03-05T04:05:06Z',
    '',
    'loads',
  ])
  expect(await run('token', 'revoke', id)).toMatch(/is revoked/)
  expect((await run('token', 'list')).split('\t')).toContain('2026-02-03T04:05:06Z')
})

it('grants by rid or API name, changes a role, and takes it away', async () => {
  expect(await run('grant', 'add', '--ontology', 'library', '--group', 'staff', '--role', 'reader')).toBe(
    'The group staff is now reader of library.',
  )
  await run('grant', 'add', '--ontology', rid, '--group', 'staff', '--role', 'writer')
  await run('grant', 'add', '--ontology', rid, '--subject', 'ada', '--role', 'owner')
  expect((await run('grant', 'list')).split('\n').slice(1)).toEqual([
    `library\t${rid}\tgroup\tstaff\twriter`,
    `library\t${rid}\tsubject\tada\towner`,
  ])
  await run('grant', 'remove', '--ontology', 'library', '--group', 'staff')
  await expect(run('grant', 'remove', '--ontology', 'library', '--group', 'staff')).rejects.toThrow(
    'The group staff has no grant on library: see `grant list`.',
  )
  expect((await run('grant', 'list')).split('\n')).toHaveLength(2)
})

it.each([
  [['token'], 'There is no such command.'],
  [['token', 'destroy'], 'There is no such command.'],
  [['token', 'create', '--scope', 'api:read-data'], '--subject must be given once'],
  [['token', 'create', '--subject', 'x'], '--scope is missing'],
  [['token', 'create', '--subject', 'x', '--scope', 'everything'], 'everything is no scope'],
  [['token', 'create', '--subject', 'x', '--scope', 'api:read-data', '--expires', '0d'], '--expires must be'],
  [['token', 'create', '--subject', 'a\nb', '--scope', 'api:read-data'], '--subject must be given once'],
  [['token', 'create', '--subject', 'x', '--colour', 'red'], 'Unknown option'],
  [['token', 'revoke'], 'Name one token'],
  [['token', 'revoke', 'nobody'], 'There is no access token with the id nobody'],
  [['grant', 'add', '--ontology', 'library', '--role', 'reader'], 'either --subject or --group'],
  [['grant', 'add', '--ontology', 'library', '--subject', 'x', '--role', 'king'], '--role must be one of'],
  [
    ['grant', 'add', '--ontology', 'nothing', '--subject', 'x', '--role', 'reader'],
    'There is no ontology nothing',
  ],
])('refuses %j with a sentence that says what to do', async (words, sentence) => {
  await expect((async () => run(...words))()).rejects.toThrow(sentence)
})

it('runs as a command of the program, with its exit codes', () => {
  const main = join(import.meta.dirname, '../main.ts')
  const spawn = (words: readonly string[], databaseUrl: string) =>
    spawnSync(process.execPath, ['--conditions=@octavo/source', main, ...words], {
      env: { OCTAVO_DATABASE_URL: databaseUrl },
      encoding: 'utf8',
    })
  const made = spawn(['token', 'create', '--subject', 'ada', '--scope', 'api:ontologies-read'], database.url)
  expect(made).toMatchObject({ status: 0, stderr: '' })
  expect(made.stdout).toMatch(/\noct_[A-Za-z0-9_-]{43}\n$/)
  expect(spawn(['token', 'revoke', 'nobody'], database.url)).toMatchObject({ status: 2, stdout: '' })
  const unreachable = spawn(['grant', 'list'], 'postgres://127.0.0.1:1/none')
  expect(unreachable).toMatchObject({ status: 1, stdout: '' })
  expect(unreachable.stderr).toMatch(/^The database did not do it.*\.\n$/)
}, 60_000)
