import { expect, it } from 'vitest'
import { failureOf, numberedPages, scriptedServer } from '../test/support/scripted-server.ts'
import { createClient, OctavoError, type ClientOptions } from './index.ts'

const good = { url: 'https://octavo.example.com', token: 'secret-token' }

function refusalOf(work: () => unknown): {
  readonly option: string
  readonly didYouMean?: string
  readonly message: string
} {
  try {
    work()
  } catch (error) {
    if (!(error instanceof OctavoError) || error.errorName !== 'InvalidOption') throw error
    return { ...error.parameters, message: error.message }
  }
  throw new Error('It was taken.')
}

const created = (options: unknown) => refusalOf(() => createClient(options as ClientOptions))

it.for<[Partial<Record<keyof ClientOptions, unknown>>, string]>([
  [
    { url: undefined },
    '`url` must be the address of the service, but is undefined. If it comes from an environment',
  ],
  [{ url: '' }, '`url` must be the address of the service, but is an empty text.'],
  [{ url: 'octavo.example.com' }, 'but is "octavo.example.com". Did you mean https://octavo.example.com?'],
  [{ url: 'localhost:8080' }, 'but is "localhost:8080". Did you mean http://localhost:8080?'],
  [{ url: '127.0.0.1:8080/octavo' }, 'Did you mean http://127.0.0.1:8080/octavo?'],
  [{ url: 'ftp://example.com' }, 'must begin with https:// or http://, but is "ftp://example.com".'],
  [{ url: '/octavo' }, 'must begin with https:// or http://'],
  [{ url: 'http://a/api/v1/ontologies/ri.x/objects' }, 'Did you mean http://a?'],
  [{ url: 'http://a/x/api/people/v1/objects/types' }, 'Did you mean http://a/x?'],
  [{ url: 'http://a/manage/v1' }, 'Did you mean http://a?'],
  [{ url: 'http://a/?page=1' }, 'must be the address of the service alone. Did you mean http://a?'],
  [{ url: 'http://me:secret@a' }, 'must not contain a name or password. Pass credentials as `token`.'],
  [{ token: undefined }, '`token` must be a bearer token, but is undefined.'],
  [{ token: ' ' }, '`token` must be a bearer token'],
  [{ token: Promise.resolve('x') }, '`token` is a Promise. Pass `await` of it, or a function'],
  [{ token: 'Bearer secret-token' }, '`token` begins with "Bearer". Pass the token alone'],
  [{ token: 'secret-token secret-token' }, '`token` contains a space'],
  [{ token: 'secret-token…' }, '`token` contains a space, or a character that no token has'],
  [{ retries: -1 }, '`retries` must be a whole number, 0 or more, but is -1.'],
  [{ retries: '3' }, '`retries` must be a whole number, 0 or more, but is "3".'],
  [{ backoffMilliseconds: Number.NaN }, '`backoffMilliseconds` must be a number of milliseconds'],
  [{ timeoutSeconds: 0 }, '`timeoutSeconds` must be a number of seconds, more than 0'],
  [{ timeoutSeconds: Infinity }, 'at most 2,147,483, but is Infinity.'],
  [{ longestWaitSeconds: null }, '`longestWaitSeconds` must be a number of seconds, 0 or more, but is null.'],
  [{ compression: 'br' }, '`compression` must be auto, gzip, zstd or none, but is "br".'],
  [{ compression: true }, '`compression` must be auto, gzip, zstd or none, but is true.'],
  [{ fetch: {} }, '`fetch` must be a function like the global fetch, but is an object.'],
  [{ onRetry: true }, '`onRetry` must be a function, but is true.'],
])('%j is refused at once, with what was meant', ([options, expected]) => {
  const { option, message } = created({ ...good, ...options })
  expect(option).toBe(Object.keys(options)[0])
  expect(message).toContain(expected)
  expect(message).not.toContain('secret')
})

it.for<[string, string | undefined]>([
  ['baseURL', 'url'],
  ['URL', 'url'],
  ['endpoint', 'url'],
  ['apiKey', 'token'],
  ['accessToken', 'token'],
  ['maxRetries', 'retries'],
  ['onretry', 'onRetry'],
  ['timeout', 'timeoutSeconds'],
  ['timeoutMs', 'timeoutSeconds'],
  ['colour', undefined],
  ['toString', undefined],
])('createClient has no option %s, and offers %s', ([name, meant]) => {
  const { option, didYouMean, message } = created({ ...good, [name]: 'secret-token' })
  expect({ option, didYouMean }).toEqual({ option: name, didYouMean: meant })
  expect(message).toContain('Its options are url, token, onRetry, retries,')
  expect(message).not.toContain('secret')
})

it.for([undefined, null, 'http://a', [good]])('options must be an object, not %j', (options) => {
  expect(created(options).message).toContain('createClient takes its options (url, token, ')
})

it('takes what has always worked', () => {
  for (const more of [
    { url: new URL('https://a/prefix/') },
    { url: 'HTTP://a///' },
    { url: 'https://a/api' },
    { token: 'secret-token\n' },
    { token: () => 'x' },
    { retries: 0, backoffMilliseconds: 0, longestWaitSeconds: Infinity, timeoutSeconds: 0.5 },
    { retries: Infinity, fetch: undefined },
  ]) {
    expect(() => createClient({ ...good, ...more } as ClientOptions)).not.toThrow()
  }
})

it('what the function `token` returns is checked for every request', async () => {
  const { client, asked } = await scriptedServer(numberedPages(1))
  const failure = await failureOf(
    client({ token: () => undefined as never })
      .ontologies()
      .firstPage(),
  )
  expect(failure.message).toMatch(
    /^InvalidOption: What the function `token` returned must be a bearer token, but is undefined/,
  )
  expect(asked).toHaveLength(0)
})

it('the options of walks are checked when the walk is made', async () => {
  const client = createClient(good)
  const found = client.family('f').objects('t')
  const listed = client.ontology('ri').objects('t')
  const any = (options: unknown) => options as never
  const refused = (work: () => unknown) => refusalOf(work).message
  for (const pageSize of [0, -1, 1.5, '5', Number.NaN, null]) {
    expect(refused(() => found.all(any({ pageSize })))).toContain(
      '`pageSize` must be a whole number, 1 or more',
    )
    expect(refused(() => listed.pages(any({ pageSize })))).toContain('`pageSize`')
    expect(refused(() => client.ontologies(any({ pageSize })))).toContain('`pageSize`')
  }
  expect(refused(() => found.all(any({ pagesize: 5 })))).toContain(
    'no option `pagesize`. Did you mean `pageSize`?',
  )
  expect(refused(() => listed.all(any({ where: {} })))).toContain('Did you mean `filters`?')
  expect(refused(() => found.all(any({ filters: {} })))).toContain('Here, write a query: .search(')
  expect(refused(() => found.all(any({ limit: 5 })))).toContain('walk.toArray({ limit })')
  expect(refused(() => found.all(any({ orderBy: 'age' })))).toContain(
    "such as [{ field: 'name', direction: 'asc' }]",
  )
  expect(refused(() => found.all(any({ select: 'age' })))).toContain('such as [\'name\'], but is "age".')
  expect(refused(() => found.all(any({ signal: new AbortController() })))).toContain('controller.signal')
  expect(refused(() => client.resume('', any({ pageSize: 5 })))).toContain(
    'resume() has no option `pageSize`',
  )
  for (const objects of [found, listed]) {
    // A function that returns a promise rejects it, and does not throw.
    expect((await failureOf(objects.get('1', any({ properties: [] })))).message).toContain(
      'Did you mean `select`?',
    )
    expect((await failureOf(objects.firstPage(any({ pageSize: 0 })))).message).toContain('`pageSize`')
  }
  expect(() => found.all({ pageSize: 5_000, readAhead: 100 })).not.toThrow()
})
