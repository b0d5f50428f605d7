import { expect, it } from 'vitest'
import { openAccess, type AccessSource, type KnownToken } from './access.ts'

const known: KnownToken = {
  caller: { subject: 'ada', groups: [], rights: new Set(['read']), claims: {} },
  expiresAt: undefined,
}

function watchedAccess() {
  let time = 0
  let version = 1
  let token: KnownToken | undefined = known
  const asked: string[] = []
  const source: AccessSource = {
    version: async () => {
      asked.push('version')
      return String(version)
    },
    token: async () => {
      asked.push('token')
      return { version: String(version), value: token }
    },
    roles: async () => {
      asked.push('roles')
      return { version: String(version), value: new Map() }
    },
  }
  return {
    access: openAccess({ source, elapsed: () => time }),
    asked: () => asked.splice(0),
    pass: (ms: number) => (time += ms),
    revoke: () => {
      token = undefined
      version += 1
    },
  }
}

it('P121: asks the database for news at most every half second, and forgets all when there is some', async () => {
  const { access, asked, pass, revoke } = watchedAccess()
  expect(await access.token('a')).toBe(known)
  expect(asked()).toEqual(['version', 'token'])
  pass(499)
  expect(await access.token('a')).toBe(known)
  expect(asked()).toEqual([])
  pass(1)
  expect(await access.token('a')).toBe(known)
  expect(asked()).toEqual(['version'])
  revoke()
  pass(499)
  expect(await access.token('a')).toBe(known)
  pass(1)
  expect(await access.token('a')).toBeUndefined()
  expect(asked()).toEqual(['version', 'token'])
})

it('asks once for many requests that come at the same time', async () => {
  const { access, asked } = watchedAccess()
  await Promise.all([1, 2, 3, 4].map(async () => access.roles({ subject: 'ada', groups: [] })))
  expect(asked().filter((what) => what === 'version')).toEqual(['version'])
})

it('remembers that a token does not exist as long as nothing changes, apart from those that do', async () => {
  const { access, asked, pass, revoke } = watchedAccess()
  const others = Array.from({ length: 20_000 }, (_, i) => `guess ${i}`)
  await access.token('a')
  revoke()
  pass(500)
  await access.token('a')
  asked()
  expect(await access.token('a')).toBeUndefined()
  expect(asked()).toEqual([])
  // Guesses evict only other guesses from the cache.
  for (const guess of others) await access.token(guess)
  asked()
  await access.token('guess 19999')
  expect(asked()).toEqual([])
  await access.token('guess 0')
  expect(asked()).toEqual(['token'])
})
