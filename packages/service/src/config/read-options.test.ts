import { describe, expect, it } from 'vitest'
import { migrateOptions, serveOptions } from './options.ts'
import { readOptions, type Environment } from './read-options.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64url')

const enough: Environment = {
  OCTAVO_DATABASE_URL: 'postgres://localhost/octavo',
  OCTAVO_PAGE_TOKEN_KEYS: `b:${key(2)},a:${key(1)}`,
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
      changesRetentionDays: 7,
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

  it('reads how answers may be compressed, in the order of preference', () => {
    expect(values([]).compression).toEqual(['zstd', 'br', 'gzip'])
    expect(values(['--compression=gzip,br']).compression).toEqual(['gzip', 'br'])
    expect(values(['--compression=none']).compression).toEqual([])
    for (const wrong of ['deflate', 'gzip,', 'gzip,none', 'GZIP']) {
      expect(problems([`--compression=${wrong}`]), wrong).toHaveLength(1)
    }
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
      options: { databaseUrl: 'postgres://localhost/octavo', logLevel: 'info', logFormat: 'auto' },
    })
  })
})

describe('refusing options, with one sentence each', () => {
  it('names an unknown flag once, with or without a value, and the one that was probably meant', () => {
    const sentence = 'Unknown option "--prot": did you mean --port? See --help for all options.'
    expect(problems(['--prot', '80'])).toEqual([sentence])
    expect(problems(['--prot=80'])).toEqual([sentence])
    expect(problems(['--prot'])).toEqual([sentence])
  })

  it('names a word that is not a flag', () => {
    expect(problems(['serve'])).toEqual(['Unknown option "serve": remove it. See --help for all options.'])
  })

  it('names an unknown environment variable of ours', () => {
    expect(problems([], { OCTAVO_PROT: '80' })).toEqual([
      'Unknown environment variable OCTAVO_PROT: did you mean OCTAVO_PORT? See --help for all names.',
    ])
    expect(problems([], { OCTAVO_X: '80' })).toEqual([
      'Unknown environment variable OCTAVO_X: remove it. See --help for all names.',
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
      '--cors-origins must be a comma-separated list of web origins, such as https://app.example.com,http://localhost:5173; loopback stands for every origin of this machine, not "https://a.example,https://b.example/x".',
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
        'The option page-token-keys is missing: set OCTAVO_PAGE_TOKEN_KEYS to a comma-separated list of id:key, each key 32 random bytes as base64url (43 characters), each id used once.',
      ],
    })
  })

  it('does not take a secret from the command line', () => {
    expect(problems(['--page-token-keys', `a:${key(1)}`])).toEqual([
      '--page-token-keys would show a secret to every user of this machine: set OCTAVO_PAGE_TOKEN_KEYS instead.',
    ])
  })

  it.each([
    ['database-url', 'postgres://ada:hush@host/name'],
    ['database-url', 'postgres://ada:hush@one:5432,two:5432/name'],
    ['database-url', 'postgres://host/name?user=ada&password=hush'],
    ['database-url', 'postgres://host/name?sslpassword=hush'],
    ['database-url', 'mysql://ada:hush@host/name'],
    ['database-replica-urls', 'postgres://one/name,postgres://ada:hush@two/name'],
  ])('does not take a password with --%s', (name, value) => {
    const variable = `OCTAVO_${name.toUpperCase().replaceAll('-', '_')}`
    expect(problems([`--${name}=${value}`])).toEqual([
      `--${name} would show a password to every user of this machine: set ${variable} instead, or leave the password out and set PGPASSWORD.`,
    ])
    expect(problems([`--${name}`, value])).toHaveLength(1)
  })

  it.each(['postgres://host:5432/name', 'postgres://ada@host:5432,other:5432/name?application_name=a:b@c'])(
    'takes %s, which has no password, from the command line',
    (url) => {
      expect(problems([`--database-url=${url}`])).toEqual([])
    },
  )

  it.each([
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

  it.each([
    'http://login.example.com',
    'login.example.com',
    'https://login.example.com/?a=1',
    'ftp://127.0.0.1',
  ])('refuses %s as the issuer: keys from there could be anybody\u2019s', (issuer) => {
    expect(problems([], { OCTAVO_OIDC_ISSUER: issuer, OCTAVO_OIDC_AUDIENCE: 'octavo' })).toEqual([
      expect.stringMatching(/^OCTAVO_OIDC_ISSUER must be an https URL/),
    ])
  })

  it('wants a certificate and its key together', () => {
    expect(problems([], { OCTAVO_TLS_CERTIFICATE_FILE: '/tls.crt' })).toEqual([
      'The option tls-certificate-file is set without tls-key-file: set both or neither.',
    ])
    expect(problems(['--tls-key-file=/tls.key'], {})).toEqual([
      'The option tls-key-file is set without tls-certificate-file: set both or neither.',
    ])
  })

  it('wants an issuer and an audience together', () => {
    expect(problems([], { OCTAVO_OIDC_ISSUER: 'https://login.example.com' })).toHaveLength(1)
    expect(problems([], { OCTAVO_OIDC_AUDIENCE: 'octavo' })).toHaveLength(1)
  })

  const signIn = {
    OCTAVO_OIDC_ISSUER: 'https://login.example.com',
    OCTAVO_OIDC_AUDIENCE: 'octavo',
    OCTAVO_OAUTH_PUBLIC_URL: 'https://octavo.example.com',
  }

  it('wants the address of the service and the identity provider with the addresses of apps', () => {
    const app = { OCTAVO_OAUTH_REDIRECT_URIS: 'https://app.example.com/back?tenant=1,http://localhost:5173/' }
    expect(problems([], { ...signIn, ...app })).toEqual([])
    expect(problems([], app)).toEqual([
      'The option oauth-redirect-uris is set without oauth-public-url: set both or neither.',
    ])
    expect(problems([], { OCTAVO_OAUTH_PUBLIC_URL: signIn.OCTAVO_OAUTH_PUBLIC_URL, ...app })).toEqual([
      'The option oauth-public-url is set without oidc-issuer: set both or neither.',
    ])
  })

  it.each([
    'http://app.example.com/',
    'https://*.example.com/',
    'https://app.example.com/#x',
    'https://app.example.com@evil.example.com/',
    'https:\\\\app.example.com',
    'app.example.com',
    'javascript:alert(1)',
    'https://app.example.com/, https://other.example.com/',
    'https://app.example.com/,',
  ])('refuses %s among the addresses of apps', (uris) => {
    expect(problems([], { ...signIn, OCTAVO_OAUTH_REDIRECT_URIS: uris })).toEqual([
      expect.stringMatching(/^OCTAVO_OAUTH_REDIRECT_URIS must be a comma-separated list of whole https URLs/),
    ])
  })

  it('tells all problems at once', () => {
    expect(problems(['--prot', '1', '--port', 'x'], { OCTAVO_PAGE_TOKEN_KEYS: '' })).toHaveLength(3)
  })
})
