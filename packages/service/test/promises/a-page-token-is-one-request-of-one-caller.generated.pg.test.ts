// Whatever is done to a token, the answer is either its page or a refusal with the reason, never a failure.
import { randomBytes } from 'node:crypto'
import { forAllTests } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { many } from '../support/generated-cases.ts'
import { collectionOf, items, loadItems } from '../support/load-items.ts'
import {
  jsonBody,
  listing,
  revisions,
  searching,
  type Collection,
  type PageAsk,
} from '../support/page-revisions.ts'
import { resealed, sealerWith } from '../support/reseal-token.ts'
import { callerBytes } from '../../src/read/token/token-claims.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import {
  startTestService,
  testKey,
  type TestService,
  type TestRequest,
} from '../support/start-test-service.ts'
import { askForPage, readPage, type Answer } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'
import { errorWith } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const { collection } = withItems(service, 50)
let elsewhere: Collection

beforeAll(async () => {
  await loadItems(service.store, service.ontology, 51)
  const other = await service.store.applyOntology({
    apiName: 'elsewhere',
    displayName: 'Elsewhere',
    apiFamilies: ['elsewhere'],
  })
  const { type } = await loadItems(service.store, other, 50)
  elsewhere = collectionOf(other, type)
})

const malformed = { status: 400, errorName: 'InvalidPageToken', parameters: { reason: 'malformed' } }
const changedIn = (...changed: readonly string[]) => ({
  status: 400,
  errorName: 'InvalidPageToken',
  parameters: { reason: 'requestChanged', changed },
})

const idsOf = ({ text }: Answer) =>
  (JSON.parse(text) as { data: { properties: { id: string } }[] }).data.map(({ properties }) => properties.id)
const idsFrom = (from: number, to: number) =>
  items(50)
    .slice(from, to)
    .map(({ id }) => id)
const dataOf = ({ text }: Answer) => text.slice(0, text.lastIndexOf(']') + 1)

describe.for(revisions)('in revision $name', (revision) => {
  const ask = (pageToken: string | undefined, more: PageAsk = {}) =>
    askForPage(service, revision, collection, { pageSize: 10, ...more, pageToken })
  const firstToken = async (more: PageAsk = {}): Promise<string> => {
    const { nextPageToken } = await readPage(service, revision, collection, { pageSize: 10, ...more })
    if (nextPageToken === undefined) throw new Error('no token')
    return nextPageToken
  }

  it('P10: it contains only letters, digits, - and _, and can be used in a URL as it is', async () => {
    for (const orderBy of [undefined, [{ property: 'label', direction: 'desc' }]] as const) {
      for (const snapshot of [false, true]) {
        const token = await firstToken({ snapshot, orderBy })
        expect(token).toMatch(/^[A-Za-z0-9_-]{20,300}$/)
        expect(encodeURIComponent(token)).toBe(token)
      }
    }
  })

  it('P11: nothing of the claims can be read in it, and equal pages have different tokens', async () => {
    const [one, two] = [await firstToken(), await firstToken()]
    expect(one).not.toBe(two)
    for (const token of [one, two]) {
      expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('i000009')
    }
  })

  it.for([false, true])('P11: changed in any one bit it is malformed, with snapshot %s', async (snapshot) => {
    const bytes = Buffer.from(await firstToken({ snapshot }), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(refusalOf(await ask(flipped.toString('base64url'), { snapshot })), `bit ${bit}`).toEqual(
        malformed,
      )
    }
  })

  it('P11: with any one character replaced, cut off at any length or made longer it is malformed', async () => {
    const token = await firstToken()
    const others = [
      ...Array.from(
        token,
        (character, i) => `${token.slice(0, i)}${character === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`,
      ),
      ...Array.from({ length: token.length - 1 }, (_, i) => token.slice(0, i + 1)),
      ...Array.from({ length: token.length - 1 }, (_, i) => token.slice(i + 1)),
      ...['A', '_', 'AAAA', token, '='].map((end) => token + end),
      ...['A', 'AAAA'].map((start) => start + token),
      `${token} `,
      ` ${token}`,
      `${token}\n`,
      `"${token}"`,
      token.toLowerCase(),
      'A'.repeat(8_192),
      'A'.repeat(8_193),
      '',
      'null',
      '\u0000',
      '😀',
      '%00',
      '../../etc/passwd',
    ]
    for (const other of others) expect(refusalOf(await ask(other)), other).toEqual(malformed)
    expect((await ask(token)).status).toBe(200)
  })

  it('P11: of many random tokens none is accepted', async () => {
    const real = Buffer.from(await firstToken(), 'base64url')
    // Half of them start like a real token, so that they get as far as the key.
    const made = Array.from({ length: many(625) }, (_, i) =>
      Buffer.concat([real.subarray(0, i % 2 === 0 ? 0 : i % 24), randomBytes(1 + (i % 200))]).toString(
        'base64url',
      ),
    )
    for (let from = 0; from < made.length; from += 20) {
      const answers = await Promise.all(made.slice(from, from + 20).map((token) => ask(token)))
      for (const answer of answers) expect(refusalOf(answer)).toEqual(malformed)
    }
  })

  it('P12: it is good for 15 minutes after its page, and then expired', async () => {
    const token = await firstToken()
    const aged = (seconds: number) =>
      resealed(token, (claims) => ({ ...claims, issuedAtSeconds: claims.issuedAtSeconds - seconds }))
    const young = await ask(aged(895))
    expect(idsOf(young)).toEqual(idsFrom(10, 20))
    for (const seconds of [902, 3_600, 1e9]) {
      expect(refusalOf(await ask(aged(seconds)))).toEqual(
        errorWith(400, 'InvalidPageToken', { reason: 'expired' }),
      )
    }
    // Every page restarts the life of its token: the token of a page requested with an old token is new.
    const { nextPageToken } = JSON.parse(young.text) as { nextPageToken: string }
    const next = resealed(nextPageToken, (claims) => ({
      ...claims,
      issuedAtSeconds: claims.issuedAtSeconds - 895,
    }))
    expect(idsOf(await ask(next))).toEqual(idsFrom(20, 30))
  })

  it('P12: it is good for as long as the deployment says', async () => {
    const brief = await startTestService({
      databaseUrl: service.databaseUrl,
      environment: { OCTAVO_PAGE_TOKEN_LIFETIME_SECONDS: '60' },
    })
    try {
      const token = await firstToken()
      const aged = (seconds: number) =>
        resealed(token, (claims) => ({ ...claims, issuedAtSeconds: claims.issuedAtSeconds - seconds }))
      for (const [instance, lifeSeconds] of [
        [brief, 60],
        [service, 900],
      ] as const) {
        const askWith = (pageToken: string) =>
          askForPage(instance, revision, collection, { pageSize: 10, pageToken })
        expect((await askWith(aged(lifeSeconds - 30))).status).toBe(200)
        expect(refusalOf(await askWith(aged(lifeSeconds + 2)))).toMatchObject({
          parameters: { reason: 'expired' },
        })
      }
    } finally {
      await brief.close()
    }
  })

  it('P14: it belongs to the caller whose request made it', async () => {
    const token = resealed(await firstToken(), ({ binding, ...claims }) => ({
      ...claims,
      binding: Buffer.concat([Buffer.alloc(callerBytes, 7), binding.subarray(callerBytes)]),
    }))
    expect(refusalOf(await ask(token))).toEqual(errorWith(400, 'InvalidPageToken', { reason: 'otherCaller' }))
  })

  it('P15: used twice it gives the same position, and in snapshot mode the same bytes of data', async () => {
    const token = await firstToken()
    expect(idsOf(await ask(token))).toEqual(idsFrom(10, 20))
    expect(idsOf(await ask(token))).toEqual(idsFrom(10, 20))
    const snapshot = await firstToken({ snapshot: true })
    const once = await ask(snapshot, { snapshot: true })
    await loadItems(service.store, service.ontology, 50)
    const type = await service.store.catalog.objectType(service.ontology, collection.objectType)
    if (type === undefined) throw new Error('no type')
    await service.store.commit({ parts: [{ type, changes: [{ kind: 'delete', key: 'i000012' }] }] })
    expect(dataOf(await ask(snapshot, { snapshot: true }))).toBe(dataOf(once))
    expect(idsOf(await ask(token))).toEqual([...idsFrom(10, 12), ...idsFrom(13, 21)])
    await loadItems(service.store, service.ontology, 50)
  })

  it('P24, P25: moved to another request it names every part that changed', async () => {
    const orderBy = [{ property: 'rank', direction: 'asc' }] as const
    // The names of the parameters in each revision.
    const selection = revision === listing ? 'properties' : 'select'
    const token = await firstToken()
    const other = revision === listing ? searching : listing
    const moved = async (to: Collection, more: PageAsk = {}) =>
      refusalOf(await askForPage(service, revision, to, { pageSize: 10, ...more, pageToken: token }))
    const answer = await askForPage(service, other, collection, { pageToken: token })
    expect(refusalOf(answer)).toEqual(changedIn('endpoint'))
    expect(await moved(elsewhere)).toEqual(changedIn('ontology'))
    expect(await moved({ ...collection, objectType: 'items51' })).toEqual(changedIn('objectType'))
    expect(await moved(collection, { orderBy })).toEqual(changedIn('orderBy'))
    expect(await moved(collection, { select: ['rank'] })).toEqual(changedIn(selection))
    expect(await moved(collection, { snapshot: true })).toEqual(changedIn('snapshot'))
    expect(
      await moved({ ...elsewhere, objectType: 'items50' }, { orderBy, select: [], snapshot: true }),
    ).toEqual(changedIn('ontology', 'orderBy', selection, 'snapshot'))
    const ordered = await firstToken({ orderBy })
    const turned = { orderBy: [{ property: 'rank', direction: 'desc' }] } as const
    expect(refusalOf(await ask(ordered, turned))).toEqual(changedIn('orderBy'))
    expect(refusalOf(await ask(ordered))).toEqual(changedIn('orderBy'))
    expect(refusalOf(await ask(await firstToken({ snapshot: true })))).toEqual(changedIn('snapshot'))
  })

  it('P24, P25: a token of a list of object types or ontologies is none of a page of objects, and the reverse', async () => {
    const read = async (path: string): Promise<Answer> => {
      const response = await service.fetch(path)
      return { status: response.status, text: await response.text(), headers: response.headers }
    }
    const lists = [
      '/api/v1/ontologies',
      `/api/v1/ontologies/${collection.ontologyRid}/objectTypes`,
      `/api/${collection.apiFamily}/v1/objects/types`,
    ]
    const tokens = await Promise.all(
      lists.map(
        async (path) =>
          (JSON.parse((await read(`${path}?pageSize=1`)).text) as { nextPageToken: string }).nextPageToken,
      ),
    )
    const objects = await firstToken()
    for (const [i, path] of lists.entries()) {
      expect(refusalOf(await read(`${path}?pageToken=${objects}`)).parameters['reason']).toBe(
        'requestChanged',
      )
      expect(refusalOf(await ask(tokens[i])).parameters['reason']).toBe('requestChanged')
      for (const [j, token] of tokens.entries()) {
        const answer = await read(`${path}?pageToken=${token}`)
        if (i === j) expect(answer.status).toBe(200)
        else expect(refusalOf(answer).parameters['reason']).toBe('requestChanged')
      }
    }
  })

  it('P26: a request with the same meaning continues the walk, however it is written', async () => {
    const token = await firstToken({
      orderBy: [{ property: 'rank', direction: 'asc' }],
      select: ['rank', 'label'],
    })
    const wanted = await ask(token, {
      orderBy: [{ property: 'rank', direction: 'asc' }],
      select: ['rank', 'label'],
    })
    const rid = collection.ontologyRid
    const calls: readonly (readonly [string, TestRequest])[] =
      revision === listing
        ? [
            `pageToken=${token}&snapshot=false&properties=rank,label&orderBy=p.rank&pageSize=10`,
            `orderBy=properties.RANK:asc&properties=label&properties=rank&preview=true&pageSize=10&pageToken=${token}`,
            `orderBy=%70%2Erank%3Aasc&properties=label%2Crank%2Crank&pageSize=10&pageToken=${token}`,
          ].map((query) => [`/api/v1/ontologies/${rid}/objects/items50?${query}`, {}] as const)
        : [
            `{"pageToken":"${token}","pageSize":10,"select":["label","rank"],"orderBy":{"fields":[{"field":"rank"}]},"query":{"type":"empty"}}`,
            ` { "snapshot" : false , "orderBy": {"fields": [{"direction":"asc","field":"properties.rank"}]},
                "select":["rank","label"],"query":{"type":"\\u0065mpty"},"pageToken":"${token}","pageSize":1e1} `,
          ].map(
            (body) => ['/api/promised/v1/objects/types/items50/search?preview=1', jsonBody(body)] as const,
          )
    for (const [path, init] of calls) {
      const response = await service.fetch(path, init)
      const answer = { status: response.status, text: await response.text(), headers: response.headers }
      expect(dataOf(answer)).toBe(dataOf(wanted))
    }
  })
})

describe('a page token outlives the process that made it', () => {
  const started: TestService[] = []
  const startWith = async (keys: string): Promise<TestService> => {
    const another = await startTestService({
      databaseUrl: service.databaseUrl,
      environment: { OCTAVO_PAGE_TOKEN_KEYS: keys },
    })
    started.push(another)
    return another
  }
  afterAll(() => Promise.all(started.map((each) => each.close())))

  const walkOn = async (
    at: TestService,
    revision: (typeof revisions)[number],
    pageToken: string | undefined,
  ) => askForPage(at, revision, collection, { snapshot: true, pageSize: 10, pageToken })
  const begin = async (at: TestService, revision: (typeof revisions)[number]) =>
    (await readPage(at, revision, collection, { snapshot: true, pageSize: 10 })).nextPageToken

  it.for(revisions)('P13: on a second instance and after a restart, in revision $name', async (revision) => {
    const first = await startWith(testKey('a', 1))
    const second = await startWith(testKey('a', 1))
    const token = await begin(first, revision)
    const there = await walkOn(second, revision, token)
    expect(dataOf(there)).toBe(dataOf(await walkOn(first, revision, token)))
    await first.close()
    started.splice(started.indexOf(first), 1)
    const again = await startWith(testKey('a', 1))
    expect(dataOf(await walkOn(again, revision, token))).toBe(dataOf(there))
    const { nextPageToken } = JSON.parse(there.text) as { nextPageToken: string }
    expect(idsOf(await walkOn(again, revision, nextPageToken))).toEqual(idsFrom(20, 30))
  })

  it.for(revisions)(
    'P13: through a rotation of keys, until its key is removed, in revision $name',
    async (revision) => {
      const before = await startWith(testKey('old', 2))
      const known = await startWith(`${testKey('old', 2)},${testKey('new', 3)}`)
      const rotated = await startWith(`${testKey('new', 3)},${testKey('old', 2)}`)
      const removed = await startWith(testKey('new', 3))
      const reused = await startWith(testKey('old', 4))
      const token = await begin(before, revision)
      for (const each of [before, known, rotated]) {
        expect(idsOf(await walkOn(each, revision, token))).toEqual(idsFrom(10, 20))
      }
      for (const each of [removed, reused]) {
        expect(refusalOf(await walkOn(each, revision, token))).toEqual(malformed)
      }
      // Instances that know the new key continue with tokens of instances that already seal with it.
      const fresh = await begin(rotated, revision)
      for (const each of [known, rotated, removed]) {
        expect(idsOf(await walkOn(each, revision, fresh))).toEqual(idsFrom(10, 20))
      }
      expect(refusalOf(await walkOn(before, revision, fresh))).toEqual(malformed)
    },
  )

  it('P11: a token sealed with a foreign key under our id is malformed', async () => {
    const claims = sealerWith().open((await begin(service, listing)) ?? '')
    if (claims === undefined) throw new Error('our own token does not open')
    const forged = sealerWith(testKey('a', 9)).seal(claims)
    expect(refusalOf(await walkOn(service, listing, forged))).toEqual(malformed)
  })
})

it('P25: in revision 1.0 filters that changed are named filters', async () => {
  const list = `/api/v1/ontologies/${collection.ontologyRid}/objects/${collection.objectType}?pageSize=10`
  const first = await answerOf(service, list)
  const { nextPageToken } = JSON.parse(first.text) as { nextPageToken: string }
  const answer = await answerOf(service, `${list}&p.id.gt=i000001&pageToken=${nextPageToken}`)
  expect(refusalOf(answer)).toEqual(changedIn('filters'))
})
