import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openConnection } from '../connection/connection.ts'
import { makeExample } from '../local/make-example.ts'
import { serveOctavo, type Ran } from '../../test/support/served-octavo.ts'

const octavo = forAllTests(serveOctavo)

beforeAll(async () => {
  const stopAsked = new AbortController().signal
  await makeExample(openConnection(octavo, { fetch: globalThis.fetch, stopAsked }))
})

const ways: Readonly<Record<string, (...words: readonly string[]) => Promise<Ran>>> = {
  'over HTTP': (...words) => octavo.run(...words),
  'on the database by its flag': (...words) => {
    const url = new URL(octavo.databaseUrl)
    vi.stubEnv('PGPASSWORD', url.password)
    url.password = ''
    return octavo.runWith({ environment: {} }, ...words, '--database-url', url.href)
  },
  'on the database by the environment': (...words) =>
    octavo.runWith({ environment: { OCTAVO_DATABASE_URL: octavo.databaseUrl } }, ...words),
}

describe.each(Object.keys(ways))('%s', (way) => {
  const run = (...words: readonly string[]): Promise<Ran> => ways[way]!(...words)

  it('makes a token that works, lists it and revokes it', async () => {
    const words = ['--subject', 'report', '--group', 'staff', '--scope', 'api:read-data', '--expires', '30d']
    const made = await run('token', 'create', ...words)
    expect(made.code).toBe(0)
    expect(made.out).toMatch(/^oct_[A-Za-z0-9_-]{43}\n$/)
    const [, id = ''] =
      /^Created the access token ([0-9a-f-]{36}) of report\. It expires at /.exec(made.err) ?? []

    const environment = { OCTAVO_URL: octavo.url, OCTAVO_TOKEN: made.out.trim() }
    const asReport = await octavo.runWith({ environment }, 'list', 'employee')
    expect(asReport).toMatchObject({
      code: 2,
      err: expect.stringContaining('You have no grant on any ontology'),
    })

    const listed = (await run('token', 'list')).out.split('\n').find((line) => line.startsWith(id))
    expect(listed).toMatch(/^[0-9a-f-]{36} {2}report +staff +read +\d{4}-\d\d-\d\d$/)
    expect(await run('token', 'revoke', id)).toMatchObject({
      code: 0,
      out: expect.stringContaining('is revoked'),
    })
    expect((await run('token', 'list', '--json')).out).toContain('"revokedAt"')
    const headers = { authorization: `Bearer ${made.out.trim()}` }
    const status = async () => (await fetch(`${octavo.url}/manage/v1/ontologies`, { headers })).status
    await expect.poll(status, { timeout: 5_000 }).toBe(401)
  })

  it('grants a role, changes it, shows it and takes it away', async () => {
    const who = ['--ontology', 'example', '--group', 'staff']
    expect(await run('grant', 'add', ...who, '--role', 'reader')).toEqual({
      code: 0,
      out: 'The group staff is now reader of example.\n',
      err: '',
    })
    await run('grant', 'add', ...who, '--role', 'writer')
    expect((await run('grant', 'list')).out.split('\n').map((line) => line.split(/ +/))).toContainEqual([
      'example',
      'group',
      'staff',
      'writer',
    ])
    expect((await run('grant', 'remove', ...who)).out).toContain(
      'The group staff has no grant on example any more',
    )
    expect(await run('grant', 'remove', ...who)).toMatchObject({ code: 1, out: '' })
  })
})

it.each([
  [['token', 'create', '--scope', 'api:read-data'], "required option '--subject <NAME>'"],
  [['token', 'create', '--subject', 'x'], '--scope is missing'],
  [['token', 'create', '--subject', 'x', '--scope', 'everything'], 'api:ontologies-read'],
  [
    ['token', 'create', '--subject', 'x', '--scope', 'api:read-data', '--expires', '0d'],
    'such as 90s, 15m, 12h or 30d',
  ],
  [['token', 'create', '--subject', 'a\nb', '--scope', 'api:read-data'], 'a name of 1 to 255 characters'],
  [['token', 'create', '--subject', 'Operator', '--scope', 'api:read-data'], 'choose another name'],
  [['token', 'create', '--subject', 'x', '--colour', 'red'], 'unknown option'],
  [['token', 'revoke'], 'missing required argument'],
  [['token', 'destroy'], 'unknown command'],
  [['grant', 'add', '--ontology', 'example', '--role', 'reader'], 'either --subject or --group'],
  [
    ['grant', 'add', '--ontology', 'example', '--subject', 'x', '--role', 'king'],
    'one of reader, writer, owner',
  ],
  [
    ['grant', 'add', '--ontology', 'nothing', '--subject', 'x', '--role', 'reader'],
    'There is no ontology nothing',
  ],
])('refuses %j with exit code 2 and a sentence', async (words, sentence) => {
  expect(await octavo.run(...words)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining(sentence),
  })
})

it('says both ways when it knows neither', async () => {
  const ran = await octavo.runWith({ environment: {} }, 'token', 'list')
  expect(ran).toMatchObject({ code: 2, err: expect.stringMatching(/--url and --token.*--database-url/) })
})

it.each(['token list', 'grant list', 'dev'])(
  '%s takes no password from the command line',
  async (command) => {
    const ran = await octavo.run(
      ...command.split(' '),
      '--database-url',
      'postgres://ada:hush@127.0.0.1:1/none',
    )
    expect(ran).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(
        /^--database-url would show a password to every user of this machine: .*PGPASSWORD\.\n$/,
      ),
    })
    expect(ran.err).not.toContain('hush')
  },
)

it('says when the database does not answer', async () => {
  const ran = await octavo.run('grant', 'list', '--database-url', 'postgres://127.0.0.1:1/none')
  expect(ran).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The database failed to do this.*\.\n$/),
  })
})

describe('a token with the scope admin only', () => {
  const withScopes = async (subject: string, ...scopes: readonly string[]) => {
    const words = scopes.flatMap((scope) => ['--scope', scope])
    const { out } = await octavo.run('token', 'create', '--subject', subject, ...words)
    const environment = { OCTAVO_URL: octavo.url, OCTAVO_TOKEN: out.trim() }
    return (...asked: readonly string[]) => octavo.runWith({ environment }, ...asked)
  }
  const grant = ['--subject', 'guest', '--role', 'reader']

  it('grants, lists and removes as an owner, by the name and by the rid', async () => {
    // The subject of the local service, which owns the example.
    const owner = await withScopes('developer', 'api:ontologies-admin')
    const granted = { code: 0, out: 'The subject guest is now reader of example.\n', err: '' }
    expect(await owner('grant', 'add', '--ontology', 'example', ...grant)).toEqual(granted)
    const listed = await owner('grant', 'list', '--ontology', 'example', '--json')
    expect(listed.out).toContain('"name":"guest"')
    const { ontologyRid }: { readonly ontologyRid: string } = JSON.parse(listed.out.split('\n')[0] ?? '')
    expect((await owner('grant', 'remove', '--ontology', ontologyRid, '--subject', 'guest')).code).toBe(0)
    expect((await owner('grant', 'list', '--ontology', 'example')).out).not.toContain('guest')
    for (const words of [['list'], ['add', ...grant]]) {
      const ran = await owner('grant', ...words)
      expect(ran).toMatchObject({
        code: 2,
        err: expect.stringContaining('Give the ontology with --ontology'),
      })
    }
  })

  it('grants nothing on an ontology of others, and cannot tell it from one that is not there', async () => {
    const stranger = await withScopes('stranger', 'api:ontologies-admin')
    for (const name of ['example', 'nothing', 'no name']) {
      expect(await stranger('grant', 'add', '--ontology', name, ...grant)).toEqual({
        code: 1,
        out: '',
        err: `There is no ontology ${name} that you own: check the name, or ask its owner to make the grant.\n`,
      })
    }
    expect((await octavo.run('grant', 'list', '--ontology', 'example')).out).not.toContain('guest')
  })

  it('a reader of the ontology, and an owner without the scope, grant nothing', async () => {
    await octavo.run('grant', 'add', '--ontology', 'example', '--subject', 'reading', '--role', 'reader')
    const reader = await withScopes('reading', 'api:ontologies-admin')
    const refused = await reader('grant', 'add', '--ontology', 'example', ...grant)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('PermissionDenied') })
    const unscoped = await withScopes('developer', 'api:ontologies-read', 'api:tokens-admin')
    const denied = await unscoped('grant', 'add', '--ontology', 'example', ...grant)
    expect(denied).toMatchObject({ code: 1, err: expect.stringContaining('api:ontologies-admin') })
  })
})

it('a wrong token is said to be wrong, however often it was tried', async () => {
  const environment = { OCTAVO_URL: octavo.url, OCTAVO_TOKEN: `oct_${'x'.repeat(43)}` }
  for (let tries = 0; tries < 13; tries += 1) {
    const ran = await octavo.runWith({ environment }, 'list', 'employee')
    expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(/^The service refused the token: /) })
  }
})
