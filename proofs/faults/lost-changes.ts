// Asynchronous failovers that lose acknowledged changes: definitions, grants, tokens and commits. The changes made
// afterwards get the numbers of the lost ones. Two instances live through each failover; neither may keep using what was
// lost.
import { setTimeout as sleep } from 'node:timers/promises'
import { replicationSettings, startCluster, startStandby, type Cluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import { type Random, seededRandom } from '@octavo/model'
import type { Proof } from '../harness/prove.ts'
import { expect } from '../harness/prove.ts'
import { askServer } from '../../packages/service/test/support/serve-with-standby.ts'
import { startTestService, type TestService } from '../../packages/service/test/support/start-test-service.ts'
import { cutOff, untilReplayed } from '../harness/standby.ts'

/** P121: revoked access ends within half a second; the rest is for a slow machine. */
const noticedWithinMs = 700

export const seedOf = ({ given }: Proof): number => Number(given['seed'] ?? Date.now() % 1_000_000)

export const losesNothingButTheLost = (proof: Proof): Promise<void> =>
  proof.point('After asynchronous failovers that lose changes, no instance uses what was lost', () =>
    loseChanges(proof),
  )

async function loseChanges(proof: Proof): Promise<string> {
  const seed = seedOf(proof)
  const rounds = proof.short ? 3 : Number(proof.given['rounds'])
  let primary = await startCluster({ settings: replicationSettings })
  await migrateDatabase(primary.url, () => {})
  let checks = 0
  try {
    for (let number = 1; number <= rounds; number += 1) {
      const standby = await startStandby(primary)
      try {
        checks += await failOver({ primary, standby, random: seededRandom(seed + number), number })
      } catch (error) {
        await standby.stop()
        throw new Error(`round ${number}, seed ${seed}: ${(error as Error).message}`, { cause: error })
      }
      await primary.stop()
      primary = standby
      if (number % 20 === 0) proof.say(`${number} failovers, ${checks} answers right`)
    }
  } finally {
    await primary.stop()
  }
  return `${rounds} failovers that lost changes, ${checks} answers afterwards, 0 by what was lost`
}

interface Round {
  readonly primary: Cluster
  readonly standby: Cluster
  readonly random: Random
  readonly number: number
}

async function failOver({ primary, standby, random, number }: Round): Promise<number> {
  const databaseUrl = primary.url.replace(
    `${primary.host}:${primary.port}`,
    `${primary.host}:${primary.port},${standby.host}:${standby.port}`,
  )
  const instances = [
    await startTestService({ databaseUrl }),
    await startTestService({ databaseUrl }),
  ] as const
  try {
    return await liveThrough({ primary, standby, random, number, instances })
  } finally {
    await Promise.all(instances.map((instance) => instance.close()))
  }
}

type Living = Round & { readonly instances: readonly [TestService, TestService] }

const people = ['bob', 'carol', 'dan', 'eve'] as const
const policy = { type: 'eq', field: 'owner', value: { claim: 'sub' } }

async function liveThrough({ primary, standby, random, number, instances }: Living): Promise<number> {
  const name = `round${number}`
  const owner = (instance: TestService) => caller(instance)
  const some = () => owner(random.pick(instances))
  const { rid } = (await put(some(), `/manage/v1/ontologies/${name}`, {
    apiName: name,
    displayName: name,
    apiFamilies: [name],
  })) as { rid: string }
  const type = `/manage/v1/ontologies/${rid}/objectTypes/doc`
  const define = (as: Ask, more: object) =>
    put(as, type, {
      apiName: 'doc',
      displayName: 'Doc',
      primaryKey: 'id',
      titleProperty: 'id',
      properties: { id: { type: 'string' }, owner: { type: 'string', searchable: true } },
      ...more,
    })
  const commit = (as: Ask, lines: readonly object[]) =>
    as('POST', `${type}/batches`, lines.map((line) => JSON.stringify(line)).join('\n'))
  const object = (id: string, of: string) => ({ type: 'put', properties: { id, owner: of } })
  const grant = (as: Ask, subject: string) =>
    as('PUT', `/manage/v1/ontologies/${rid}/grants/subjects/${subject}`, { role: 'reader' })
  const removeGrant = (as: Ask, subject: string) =>
    as('DELETE', `/manage/v1/ontologies/${rid}/grants/subjects/${subject}`)
  const token = async (as: Ask, subject: string) =>
    (await as('POST', '/manage/v1/accessTokens', { subject, scopes: ['api:ontologies-read'] })) as {
      accessToken: string
      accessTokenId: string
    }

  await define(some(), {})
  await commit(some(), [object('d0', 'alice'), object('d1', 'alice'), object('d2', 'bob')])
  const tokens = new Map<string, { accessToken: string; accessTokenId: string }>()
  for (const person of people) {
    await grant(some(), person)
    tokens.set(person, await token(some(), person))
  }
  const as = (instance: TestService, person: string) => caller(instance, tokens.get(person)?.accessToken)
  const search = (ask: Ask, more: object = {}) =>
    ask('POST', `/api/${name}/v1/objects/types/doc/search`, { query: { type: 'empty' }, ...more })
  const list = (ask: Ask) => ask('GET', `/api/v1/ontologies/${rid}/objects/doc`)

  await untilReplayed(primary, standby)
  await cutOff(standby)

  // The changes that will be lost. Each number is raised as often as it will be afterwards, so that all numbers are reused.
  const raises = random.integer(1, 3)
  const readsBetween = random.chance(0.7)
  await define(some(), { description: 'lost' })
  await commit(some(), [object('lost', 'bob'), { type: 'delete', primaryKey: 'd2' }])
  const mallory = await token(some(), 'carol')
  for (let i = 1; i < raises; i += 1) await grant(some(), `nobody${i}`)
  let lostWalk: unknown
  if (readsBetween) {
    for (const instance of instances) {
      if (random.chance(0.3)) continue
      for (const person of people) await list(as(instance, person))
      const page = await search(as(instance, 'bob'), { snapshot: true, pageSize: 1 })
      lostWalk = (page as { nextPageToken?: string }).nextPageToken
      await list(caller(instance, mallory.accessToken))
    }
  }

  await primary.kill()
  await askServer(standby, 'select pg_promote()')
  const changer = owner(instances[1])
  await define(changer, { policy })
  await commit(changer, [object('d3', 'bob')])
  const before = random.pick(['bob', 'carol', 'dan'] as const)
  if (raises === 1) await removeGrant(changer, before)
  else {
    await removeGrant(changer, before)
    await changer('DELETE', `/manage/v1/accessTokens/${tokens.get('eve')?.accessTokenId ?? ''}`)
    for (let i = 2; i < raises; i += 1) await grant(changer, `somebody${i}`)
  }
  await sleep(noticedWithinMs)

  let checks = 0
  for (const instance of instances) {
    for (const person of people) {
      for (const read of [list, search]) {
        const answer = await read(as(instance, person)).then(keysOf, statusOf)
        const wanted = expectedFor(person, { before, isEveRevoked: raises > 1 })
        expect(
          JSON.stringify(answer) === JSON.stringify(wanted),
          `${person} got ${JSON.stringify(answer)} instead of ${JSON.stringify(wanted)} (reads between: ${readsBetween})`,
        )
        checks += 1
      }
    }
    const lost = await list(caller(instance, mallory.accessToken)).then(keysOf, statusOf)
    expect(lost === 401, `a lost token got ${JSON.stringify(lost)}`)
    checks += 1
    if (lostWalk !== undefined && before !== 'bob') {
      const walked = await search(as(instance, 'bob'), { snapshot: true, pageToken: lostWalk }).then(
        keysOf,
        statusOf,
      )
      expect(walked === 409, `a walk of a lost version got ${JSON.stringify(walked)}`)
      checks += 1
    }
  }
  return checks
}

/** Each person sees their own objects, by the policy made after the failover. */
function expectedFor(
  person: (typeof people)[number],
  { before, isEveRevoked }: { readonly before: string; readonly isEveRevoked: boolean },
): readonly string[] | number {
  if (person === before) return 404
  if (person === 'eve' && isEveRevoked) return 401
  return person === 'bob' ? ['d2', 'd3'] : []
}

type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>

class Refused extends Error {
  readonly status: number
  constructor(status: number, text: string) {
    super(`${status} ${text}`)
    this.status = status
  }
}

/** Retries what may be retried: during a failover everything may be refused for some seconds. */
const caller =
  (instance: TestService, accessToken?: string): Ask =>
  async (method, path, body) => {
    for (let tries = 1; ; tries += 1) {
      const response = await instance.fetch(path, {
        method,
        headers: {
          ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
          ...(body !== undefined && {
            'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
          }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      if (response.ok) return text === '' ? undefined : JSON.parse(text)
      if (response.status !== 503 || tries === 150) throw new Refused(response.status, text)
      await sleep(200)
    }
  }

const put = (ask: Ask, path: string, body: object) => ask('PUT', path, body)

const keysOf = (page: unknown): readonly string[] =>
  (page as { data: readonly { properties: { id: string } }[] }).data.map(({ properties }) => properties.id)

const statusOf = (error: unknown): number => {
  if (error instanceof Refused) return error.status
  throw error
}
