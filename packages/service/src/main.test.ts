import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { builtProgram } from '../../octavo/bundle/built-program.ts'

const enough = {
  OCTAVO_DATABASE_URL: 'postgres://localhost/octavo',
  OCTAVO_PAGE_TOKEN_KEYS: `a:${Buffer.alloc(32).toString('base64url')}`,
}

const run = (argv: readonly string[], env: NodeJS.ProcessEnv) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtProgram('service'), ...argv], {
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

it('does not start with an unknown option', () => {
  expect(run(['--prot', '80'], enough)).toEqual({
    status: 2,
    stdout: '',
    stderr: 'Unknown option "--prot": did you mean --port? See --help for all options.\n',
  })
})

it('does not start with a bad value', () => {
  expect(run([], { ...enough, OCTAVO_PORT: 'http' })).toEqual({
    status: 2,
    stdout: '',
    stderr: 'OCTAVO_PORT must be a whole number from 0 to 65535, not "http".\n',
  })
})

it('says in one sentence when a certificate cannot be read', () => {
  const { status, stderr } = run(
    ['--tls-certificate-file=/nowhere.crt', '--tls-key-file=/nowhere.key'],
    enough,
  )
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^The service cannot start with these options: correct them and start it again \(ENOENT.*\)\.\n$/,
  )
})

it('does not start without a secret', () => {
  expect(run([], { ...enough, OCTAVO_PAGE_TOKEN_KEYS: undefined })).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'The option page-token-keys is missing: set OCTAVO_PAGE_TOKEN_KEYS to a comma-separated list of id:key, each key 32 random bytes as base64url (43 characters), each id used once.\n',
  })
})

it('does not migrate without a database', () => {
  const { status, stderr } = run(['migrate'], {})
  expect(status).toBe(2)
  expect(stderr).toMatch(/^The option database-url is missing: set .*\n$/)
})

it('says in one sentence when the database to migrate does not answer', () => {
  const { status, stderr } = run(['migrate'], { OCTAVO_DATABASE_URL: 'postgres://127.0.0.1:1/octavo' })
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^The database was not migrated: fix the cause and run migrate again \(.*ECONNREFUSED.*\)\.\n$/,
  )
})

it('prints help and ends well', () => {
  const { status, stdout, stderr } = run(['--help'], {})
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^Usage: /)
})
