import { expect, it } from 'vitest'
import { failureOf, keysOf, numberedPages, scriptedServer } from '../../test/support/scripted-server.ts'

const all = Array.from({ length: 12 }, (_, i) => String(i + 1))

it.for([0, 1, 2, 3, 4, 11, 12])(
  'a walk saved after %i objects continues with the next one',
  async (taken) => {
    const { client } = await scriptedServer(numberedPages(4, 3))
    const walk = client().family('f').objects('o').all()
    const iterator = walk[Symbol.asyncIterator]()
    for (let i = 0; i < taken; i += 1) await iterator.next()
    const saved = walk.save()
    // Saving does not advance the walk.
    expect(walk.save()).toBe(saved)
    expect(await keysOf(client().resume(saved))).toEqual(all.slice(taken))
  },
)

it('the rest of a page is not asked for again, so it cannot have changed', async () => {
  const { client, asked } = await scriptedServer(numberedPages(4, 3))
  const walk = client().family('f').objects('o').all({ readAhead: 0 })
  await walk[Symbol.asyncIterator]().next()
  const before = asked.length
  const resumed = client().resume(walk.save(), { readAhead: 0 })
  const iterator = resumed[Symbol.asyncIterator]()
  await iterator.next()
  await iterator.next()
  expect(asked).toHaveLength(before)
  await iterator.next()
  expect(asked.at(-1)?.pageToken).toBe('t2')
})

it('a saved walk can be saved again, keeps its request, and holds no credentials', async () => {
  const { client, asked } = await scriptedServer(numberedPages(4, 3))
  const walk = client()
    .family('f')
    .objects('o')
    .search((q) => q.gt('age', 3), { snapshot: true })
  await walk.pages().next()
  const saved = client().resume(client().resume(walk.save()).save()).save()
  expect(saved).toBe(walk.save())
  expect(saved).not.toContain('secret-token')
  await keysOf(client().resume(saved))
  expect(asked.at(-1)?.body).toEqual({ ...asked[0]?.body, pageToken: 't4' })
})

it('a resumed walk still knows how many objects it must have', async () => {
  const { client } = await scriptedServer((asked) => {
    const { body } = numberedPages(4, 3)(asked)
    return { body: { ...(body as object), totalCount: '13' } }
  })
  const walk = client().family('f').objects('o').all({ snapshot: true })
  await walk.pages().next()
  const failure = await failureOf(keysOf(client().resume(walk.save())))
  expect(failure).toMatchObject({ errorName: 'IncompleteWalk', parameters: { expected: '13', received: 12 } })
})

it.for(['', '{', '{}', 'null', '{"octavoWalk":2,"request":{"path":"/"},"position":{"pages":0},"rest":[]}'])(
  'a text that is not a saved walk is refused: %s',
  async (text) => {
    const { client } = await scriptedServer(numberedPages(1))
    expect(() => client().resume(text)).toThrow(/InvalidSavedWalk.*walk\.save\(\)/)
    expect(() => client().resume(client().family('f').objects('o').all().save().slice(0, -1))).toThrow(
      'InvalidSavedWalk',
    )
  },
)

it.for([
  ['expired', 'has expired'],
  ['otherCaller', 'by another caller'],
])('a page token that is refused as %s says what to do', async ([reason, said]) => {
  const { client } = await scriptedServer((asked) =>
    asked.pageToken === 't2'
      ? {
          status: 400,
          body: { errorCode: 'INVALID_ARGUMENT', errorName: 'InvalidPageToken', parameters: { reason } },
        }
      : numberedPages(2)(asked),
  )
  const failure = await failureOf(keysOf(client().family('f').objects('o').all()))
  expect(failure.message).toContain(said)
  expect(failure.message).toMatch(/start a new walk/i)
})
