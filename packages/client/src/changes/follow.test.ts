// Following a collection whose state the test moves on: one difference after another, whatever fails meanwhile.
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import type { Change, Difference, FollowOptions, FoundObject } from '../index.ts'
import {
  allOf,
  failureOf,
  scriptedServer,
  type Asked,
  type Scripted,
} from '../../test/support/scripted-server.ts'

const object = (i: number) => ({ primaryKey: `k${i}`, objectType: 'o', properties: { id: `k${i}` } })

/**
 * A collection to which the version `n` has added the object `n`. Its snapshot tokens are `Ag` and the version. A difference has a
 * page for each object. If nothing has changed, the service answers at once.
 */
function collection(latest: number) {
  const state = { latest }
  const answer = ({ url, body, pageToken }: Asked): Scripted => {
    const numbers = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => object(from + i + 1))
    if (url.pathname.endsWith('/search')) {
      const { latest: version } = state
      const end = { version: String(version), snapshotToken: `Ag${version}` }
      return { body: { data: numbers(0, version), ...end } }
    }
    const since = Number(String(body['fromSnapshotToken']).slice(2))
    const [at, to] = (pageToken?.split('-') ?? [since, state.latest]).map(Number) as [number, number]
    const next = Math.min(at + 1, to)
    const data = numbers(at, next).map((each) => ({ type: 'put', primaryKey: each.primaryKey, object: each }))
    const versions = { fromVersion: String(since), toVersion: String(to) }
    return {
      body: {
        data,
        ...versions,
        ...(next < to ? { nextPageToken: `${next}-${to}` } : { snapshotToken: `Ag${to}` }),
      },
    }
  }
  return { state, answer }
}

const refusal = (status: number, errorName: string, parameters: object): Scripted => ({
  status,
  body: { errorName, errorCode: 'CONFLICT', parameters },
})
const expired = (reason: string) => refusal(409, 'ChangesExpired', { objectType: 'o', reason })
const gone = refusal(409, 'ConsistentSnapshotError', { objectType: 'o' })

const following = async (
  answer: (asked: Asked) => Scripted | Promise<Scripted>,
  options: FollowOptions<string> = {},
  client: object = {},
) => {
  const server = await scriptedServer(answer)
  const objects = server.client(client).family('f').objects('o')
  return { ...server, objects, follow: objects.follow(options) }
}

const keysOf = (changes: readonly Change<FoundObject>[]) => changes.map(({ primaryKey }) => primaryKey)
const keysIn = async (difference: Difference<FoundObject>) => keysOf(await allOf(difference))

it('P271: each difference begins at the state that the one before led to', async () => {
  const { state, answer } = collection(3)
  const states: string[] = []
  const { follow, asked } = await following(answer, {
    fromSnapshotToken: 'Ag1',
    onState: ({ snapshotToken }) => void states.push(snapshotToken),
  })
  const seen: unknown[] = []
  for await (const difference of follow) {
    const keys = await keysIn(difference)
    seen.push([keys, difference.fromVersion, difference.toVersion, difference.restarts])
    // Commits made while a difference is applied are in the next one.
    state.latest += 2
    if (seen.length === 3) break
    expect(states).toHaveLength(seen.length - 1)
  }
  expect(seen).toEqual([
    [['k2', 'k3'], '1', '3', undefined],
    [['k4', 'k5'], '3', '5', undefined],
    [['k6', 'k7'], '5', '7', undefined],
  ])
  // The third one counts as applied when the loop asks for another.
  expect(states).toEqual(['Ag3', 'Ag5'])
  expect(asked[0]?.body).toEqual({ fromSnapshotToken: 'Ag1', pageSize: 1_000, waitSeconds: 20 })
  expect(inspect(follow)).toContain('differences: 3')
})

it('without a state it begins with a whole copy, which says so', async () => {
  const { state, answer } = collection(2)
  const { follow, asked } = await following(answer, {
    query: { type: 'empty' },
    select: ['id'],
    pageSize: 5,
  } as object)
  const seen: unknown[] = []
  await follow
    .each(async (difference) => {
      const keys = await keysIn(difference)
      seen.push([keys, difference.restarts, difference.fromVersion, difference.snapshotToken])
      state.latest += 1
      if (seen.length === 2) throw new Error('enough')
    })
    .catch(() => {})
  expect(seen).toEqual([
    [['k1', 'k2'], 'first', '0', 'Ag2'],
    [['k3'], undefined, '2', 'Ag3'],
  ])
  const shared = { query: { type: 'empty' }, select: ['id'], pageSize: 5 }
  expect(asked[0]?.body).toEqual({ ...shared, snapshot: true })
  expect(asked[1]?.body).toEqual({ ...shared, fromSnapshotToken: 'Ag2', waitSeconds: 20 })
})

it('P276: an answer without a change is not a difference: it asks again, and not all the time', async () => {
  const { state, answer } = collection(1)
  const { follow, asked } = await following(
    (each) => {
      if (each.number === 4) state.latest = 2
      return answer(each)
    },
    { fromSnapshotToken: 'Ag1' },
    { backoffMilliseconds: 100 },
  )
  const began = performance.now()
  for await (const difference of follow) {
    expect(await keysIn(difference)).toEqual(['k2'])
    break
  }
  expect(asked).toHaveLength(4)
  expect(performance.now() - began).toBeGreaterThan(10)
})

it('P276: it asks again with the newest token of the same state: the key of the first may be retired meanwhile', async () => {
  const { state, answer } = collection(1)
  const { follow, asked } = await following(
    (each) => {
      if (each.number < 3) {
        const same = { data: [], fromVersion: '1', toVersion: '1', snapshotToken: `Ag1.${each.number}` }
        return { body: same }
      }
      state.latest = 2
      return answer({ ...each, body: { ...each.body, fromSnapshotToken: 'Ag1' } })
    },
    { fromSnapshotToken: 'Ag1' },
  )
  for await (const difference of follow) {
    expect(await keysIn(difference)).toEqual(['k2'])
    break
  }
  expect(asked.map(({ body }) => body['fromSnapshotToken'])).toEqual(['Ag1', 'Ag1.1', 'Ag1.2'])
})

it('failures that pass are waited out, more often than by the client, unless the options say otherwise', async () => {
  const failing = (times: number) => {
    const { answer } = collection(2)
    return (each: Asked): Scripted => {
      if (each.number > times) return answer(each)
      const kinds: readonly Scripted[] = [
        { instead: (reply) => void reply.destroy() },
        refusal(503, 'Overloaded', { retryAfterSeconds: 0 }),
        { ...refusal(429, 'RateLimited', { retryAfterSeconds: 0 }), headers: { 'retry-after': '0' } },
      ]
      return kinds[each.number % kinds.length] ?? gone
    }
  }
  const { follow } = await following(failing(30), { fromSnapshotToken: 'Ag1' }, { retries: 1 })
  for await (const difference of follow) {
    expect(await keysIn(difference)).toEqual(['k2'])
    break
  }
  const { follow: impatient } = await following(failing(30), { fromSnapshotToken: 'Ag1', retries: 2 })
  expect(await failureOf(allOf(impatient))).toMatchObject({ errorName: 'NetworkFailure' })
})

it('P278: each() begins a difference that was lost again, with the same state', async () => {
  const { state, answer } = collection(3)
  let lost = 0
  const { follow, asked } = await following(
    (each) => {
      if (each.pageToken === undefined || lost === 2) return answer(each)
      lost += 1
      state.latest += 1
      return gone
    },
    { fromSnapshotToken: 'Ag1' },
  )
  const begun: (readonly string[])[] = []
  let copy: string[] = ['k1']
  const enough = new Error('enough')
  const failure = await failureOf(
    follow.each(async (difference) => {
      const transaction = [...copy]
      begun.push([])
      for await (const { primaryKey } of difference) {
        begun.push([...(begun.pop() ?? []), primaryKey])
        transaction.push(primaryKey)
      }
      copy = transaction
      throw enough
    }),
  )
  expect(failure).toBe(enough)
  expect(begun).toEqual([['k2'], ['k2'], ['k2', 'k3', 'k4', 'k5']])
  expect(copy).toEqual(['k1', 'k2', 'k3', 'k4', 'k5'])
  expect(new Set(asked.map(({ body }) => body['fromSnapshotToken']))).toEqual(new Set(['Ag1']))
})

it('P278: a loop may do the same, and one that is always too slow ends with an error', async () => {
  const { answer } = collection(3)
  const { follow } = await following((each) => (each.pageToken === undefined ? answer(each) : gone), {
    fromSnapshotToken: 'Ag1',
  })
  let lost = 0
  const failure = await failureOf(
    (async () => {
      for await (const difference of follow) {
        await failureOf(keysIn(difference))
        lost += difference.isLost ? 1 : 0
      }
    })(),
  )
  expect(failure).toMatchObject({ errorName: 'ConsistentSnapshotError' })
  expect(failure.message).toContain('3 times in a row')
  expect(lost).toBe(3)
})

it.for(['tooOld', 'historyChanged', 'accessChanged'])(
  'P275: %s ends it, or begins a new copy',
  async (reason) => {
    const answerOf = () => {
      const { answer } = collection(3)
      return (each: Asked) => (each.body['fromSnapshotToken'] === 'Ag1' ? expired(reason) : answer(each))
    }
    const { follow } = await following(answerOf(), { fromSnapshotToken: 'Ag1' })
    expect(await failureOf(allOf(follow))).toMatchObject({
      errorName: 'ChangesExpired',
      parameters: { reason },
    })
    const { follow: starting } = await following(answerOf(), {
      fromSnapshotToken: 'Ag1',
      onExpired: 'restart',
    })
    for await (const difference of starting) {
      expect(difference.restarts).toBe(reason)
      expect(inspect(difference)).toContain(reason)
      expect(await keysIn(difference)).toEqual(['k1', 'k2', 'k3'])
      break
    }
  },
)

it('P275: a state that is lost between two pages ends it, or begins a new copy', async () => {
  const answerOf = () => {
    const { answer } = collection(3)
    let isLost = false
    return (each: Asked) => {
      isLost ||= each.pageToken !== undefined
      return isLost && each.body['fromSnapshotToken'] === 'Ag1' ? expired('historyChanged') : answer(each)
    }
  }
  const { follow } = await following(answerOf(), { fromSnapshotToken: 'Ag1' })
  const ending = follow.each(async (difference) => void (await keysIn(difference)))
  expect(await failureOf(ending)).toMatchObject({ errorName: 'ChangesExpired' })
  const { follow: starting } = await following(answerOf(), { fromSnapshotToken: 'Ag1', onExpired: 'restart' })
  const enough = new Error('enough')
  const seen: unknown[] = []
  const failure = await failureOf(
    starting.each(async (difference) => {
      seen.push([difference.restarts, await keysIn(difference)])
      throw enough
    }),
  )
  expect(failure).toBe(enough)
  expect(seen).toEqual([['historyChanged', ['k1', 'k2', 'k3']]])
})

it('a difference that was not read to its end does not count as applied', async () => {
  const { answer } = collection(3)
  const { follow } = await following(answer, { fromSnapshotToken: 'Ag1' })
  const reading = (async () => {
    for await (const difference of follow) for await (const _ of difference) break
  })()
  expect(await failureOf(reading)).toMatchObject({ errorName: 'UnfinishedDifference' })
  // Nor does it if the caller continues all the same.
  const next = follow[Symbol.asyncIterator]().next()
  expect(await failureOf(next)).toMatchObject({ errorName: 'UnfinishedDifference' })
  const { follow: again } = await following(answer, { fromSnapshotToken: 'Ag1' })
  expect(await failureOf(again.each(async () => {}))).toMatchObject({ errorName: 'UnfinishedDifference' })
})

it('an aborted signal ends the loop between two differences, and a difference with its reason', async () => {
  const { answer } = collection(3)
  const waiting = async (stop: AbortController) => {
    const held = (each: Asked): Scripted => {
      if (each.body['fromSnapshotToken'] === 'Ag1') return answer(each)
      setTimeout(() => stop.abort(new Error('enough')), 20)
      return { instead: () => {} }
    }
    return (await following(held, { fromSnapshotToken: 'Ag1', signal: stop.signal })).follow
  }
  const all: (readonly string[])[] = []
  for await (const difference of await waiting(new AbortController())) all.push(await keysIn(difference))
  await (
    await waiting(new AbortController())
  ).each(async (difference) => void all.push(await keysIn(difference)))
  expect(all).toEqual([
    ['k2', 'k3'],
    ['k2', 'k3'],
  ])
  const stop = new AbortController()
  const { objects } = await following(answer)
  const abortsWithin = async (difference: Difference<FoundObject>) => {
    for await (const _ of difference) stop.abort(new Error('enough'))
  }
  const loop = (async () => {
    for await (const difference of objects.follow({ fromSnapshotToken: 'Ag1', signal: stop.signal }))
      await abortsWithin(difference)
  })()
  expect(String(await failureOf(loop))).toContain('enough')
})

it('options are checked where they are given', async () => {
  const { objects } = await following(() => ({}))
  const wrong = (options: object) => () => objects.follow(options)
  expect(wrong({ fromSnapshotToken: '' })).toThrow('snapshotToken')
  expect(wrong({ waitSeconds: 0 })).toThrow('1 to 30')
  expect(wrong({ toSnapshotToken: 'Ag7' })).toThrow('has no last state')
  expect(wrong({ onExpired: 'continue' })).toThrow("'restart' or 'fail'")
  expect(wrong({ onSnapshotGone: 'restart' })).toThrow('Did you mean `onExpired`?')
})
