import { describe, expect, it } from 'vitest'
import { migrateOptions, serveOptions } from './options.ts'
import { readOptions, type Environment } from './read-options.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64url')

const enough: Environment = {
  OCTAVO_DATABASE_URL: 'postgres://localhost/octavo',
  OCTAVO_PAGE_TOKEN_KEYS: `b:${key(2)},a:${key(1)}`,
  OCTAVO_STATIC_TOKEN: 'sixteen-and-more',
}

const read = (argv: readonly string[], environment: Environment = {}) =>
  readOptions(serveOptions, argv, { ...enough, ...environment })

const problems = (argv: readonly string[], environment: Environment = {}) => {
  const result = read(argv, environment)
  return result.kind === 'refused' ? result.problems : []
}

const values = (argv: readonly string[], environment: Environment = {}) => {
  const result = read(argv, environment)
  if (result.kind !== 'read') throw new Error(JSON.stringify(result))
  return result.options
}

describe('reading options', () => {
  it('takes a flag before the environment, and the environment before the default', () => {
    expect(values([]).port).toBe(8080)
    expect(values([], { OCTAVO_PORT: '9000' }).port).toBe(9000)
    expect(values(['--port', '9001'], { OCTAVO_PORT: '9000' }).port).toBe(9001)
    expect(values(['--port=9002']).port).toBe(9002)
  })

  it('fills in every default', () => {
    expect(values([])).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      databasePoolSize: 10,
      statementTimeoutSeconds: 30,
      snapshotRetentionSeconds: 3600,
      corsOrigins: [],
      logLevel: 'info',
      stopGraceSeconds: 10,
    })
  })

  it('reads page token keys in their order, the sealing one first', () => {
    const keys = values([]).pageTokenKeys
    expect(keys.map(({ id }) => id)).toEqual(['b', 'a'])
    expect(keys[0].bytes).toEqual(Buffer.alloc(32, 2))
  })

  it('treats an empty environment variable as one that is not set', () => {
    expect(values([], { OCTAVO_PORT: '' }).port).toBe(8080)
  })

  it('ignores environment variables of others', () => {
    expect(problems([], { PATH: '/bin', PGHOST: 'x' })).toEqual([])
  })

  it('answers --help whatever else is wrong', () => {
    expect(readOptions(serveOptions, ['--nonsense', '--help'], {})).toEqual({ kind: 'help-asked' })
  })

  it('asks for nothing but the database to migrate', () => {
    const environment = { OCTAVO_DATABASE_URL: 'postgres://localhost/octavo' }
    expect(readOptions(migrateOptions, [], environment)).toEqual({
      kind: 'read',
      options: { databaseUrl: 'postgres://localhost/octavo', logLevel: 'info' },
    })
  })
})

describe('refusing options, with one sentence each', () => {
  it('names an unknown flag once, with or without a value', () => {
    const sentence = 'Unknown option "--prot": remove it, or see --help for the options there are.'
    expect(problems(['--prot', '80'])).toEqual([sentence])
    expect(problems(['--prot=80'])).toEqual([sentence])
    expect(problems(['--prot'])).toEqual([sentence])
  })

  it('names a word that is no flag', () => {
    expect(problems(['serve'])).toEqual([
      'Unknown option "serve": remove it, or see --help for the options there are.',
    ])
  })

  it('names an unknown environment variable of ours', () => {
    expect(problems([], { OCTAVO_PROT: '80' })).toEqual([
      'Unknown environment variable OCTAVO_PROT: unset it, or see --help for the names there are.',
    ])
  })

  it.each(['x', '-1', '65536', '80.5', '1e3', ' 80', '0x50'])('refuses the port "%s"', (port) => {
    const sentence = `must be a whole number from 0 to 65535, not "${port}".`
    expect(problems([`--port=${port}`])).toEqual([`--port ${sentence}`])
    expect(problems([], { OCTAVO_PORT: port })).toEqual([`OCTAVO_PORT ${sentence}`])
  })

  it('lists the choices of a choice', () => {
    expect(problems(['--log-level', 'loud'])).toEqual([
      '--log-level must be one of trace, debug, info, warn, error, fatal, silent, not "loud".',
    ])
  })

  it('refuses an origin with a path', () => {
    expect(problems(['--cors-origins', 'https://a.example,https://b.example/x'])).toEqual([
      '--cors-origins must be a comma list of web origins, such as https://app.example.com,http://localhost:5173, not "https://a.example,https://b.example/x".',
    ])
  })

  it('says when a flag has no value, or an empty one', () => {
    const takes = 'a whole number from 0 to 65535'
    expect(problems(['--port'])).toEqual([`--port has no value: set it to ${takes}.`])
    expect(problems(['--port', '--host', 'x'])).toEqual([`--port has no value: set it to ${takes}.`])
    expect(problems(['--port='])).toEqual([`--port must be ${takes}, not "".`])
  })

  it('says when a flag is given twice', () => {
    expect(problems(['--port', '1', '--port', '2'])).toEqual(['--port is given twice: keep one of them.'])
  })

  it('says how to set each option that is missing', () => {
    const missing = readOptions(serveOptions, [], {})
    expect(missing).toEqual({
      kind: 'refused',
      problems: [
        'The option database-url is missing: set OCTAVO_DATABASE_URL or --database-url to the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name.',
        'The option page-token-keys is missing: set OCTAVO_PAGE_TOKEN_KEYS to a comma list of id:key, each key 32 random bytes as base64url (43 characters), each id used once.',
        'The option static-token is missing: set OCTAVO_STATIC_TOKEN to a text of at least 16 characters without spaces.',
      ],
    })
  })

  it('does not take a secret from the command line', () => {
    expect(problems(['--static-token', 'sixteen-and-more'])).toEqual([
      '--static-token would show a secret to every user of this machine: set OCTAVO_STATIC_TOKEN instead.',
    ])
  })

  it.each([
    ['OCTAVO_STATIC_TOKEN', 'too-short-hush'],
    ['OCTAVO_DATABASE_URL', 'mysql://user:hush@host/name'],
    ['OCTAVO_PAGE_TOKEN_KEYS', `a:${key(1)}hush`],
    ['OCTAVO_PAGE_TOKEN_KEYS', `a:${key(1)},a:${key(2)}`],
    ['OCTAVO_PAGE_TOKEN_KEYS', `a:${key(1)},`],
    ['OCTAVO_PAGE_TOKEN_KEYS', key(1)],
    ['OCTAVO_PAGE_TOKEN_KEYS', `a:${key(1).slice(0, 42)}B`],
  ])('refuses a bad %s without repeating it', (name, value) => {
    const [problem, ...others] = problems([], { [name]: value })
    expect(others).toEqual([])
    expect(problem).toMatch(new RegExp(`^${name} must be `))
    expect(problem).not.toContain('hush')
    expect(problem).not.toContain(value)
  })

  it('tells all problems at once', () => {
    expect(problems(['--prot', '1', '--port', 'x'], { OCTAVO_STATIC_TOKEN: '' })).toHaveLength(3)
  })
})
