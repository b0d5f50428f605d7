import { expect, it } from 'vitest'
import type { KnownToken } from './access.ts'
import { tokenLookups } from './token-lookups.ts'

const tokenOf = (subject: string): KnownToken => ({
  caller: { subject, groups: [], rights: new Set(), claims: {} },
  expiresAt: undefined,
})

/** A database that answers when the test tells it to. */
function slowDatabase(mostAtOnce?: number) {
  const statements: (readonly string[])[] = []
  const answers: (() => void)[] = []
  let error: Error | undefined
  const lookUp = tokenLookups(async (hashes) => {
    statements.push(hashes)
    await new Promise<void>((resolve) => answers.push(resolve))
    if (error !== undefined) throw error
    const known = hashes.filter((hash) => hash.startsWith('known'))
    return { version: '1', value: new Map(known.map((hash) => [hash, tokenOf(hash)])) }
  }, mostAtOnce)
  return {
    lookUp,
    statements,
    fail: (with_: Error | undefined) => {
      error = with_
    },
    answer: async () => {
      answers.shift()?.()
      // Two turns of the event loop: one for the answer, one for the next statement.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('P189: what comes while a statement is under way goes together in the next one', async () => {
  const { lookUp, statements, answer } = slowDatabase()
  const first = lookUp('known 1')
  const others = Array.from({ length: 300 }, (_, i) => lookUp(i === 7 ? 'known 2' : `guess ${i % 100}`))
  expect(statements).toEqual([['known 1']])
  await answer()
  expect((await first).value?.caller.subject).toBe('known 1')
  expect(statements).toHaveLength(2)
  expect(statements[1]).toHaveLength(101)
  await answer()
  const found = await Promise.all(others)
  expect(found.filter(({ value }) => value !== undefined)).toEqual([
    { version: '1', value: tokenOf('known 2') },
  ])
})

it('P189: a statement has so many tokens and no more', async () => {
  const { lookUp, statements, answer } = slowDatabase(10)
  const all = Array.from({ length: 25 }, (_, i) => lookUp(`guess ${i}`))
  for (let i = 0; i < 4; i += 1) await answer()
  await Promise.all(all)
  expect(statements.map(({ length }) => length)).toEqual([1, 10, 10, 4])
})

it('a statement that fails is an error only for those that it was for', async () => {
  const { lookUp, fail, answer } = slowDatabase()
  fail(new Error('lost'))
  const first = lookUp('known 1').catch(String)
  await answer()
  expect(await first).toBe('Error: lost')
  fail(undefined)
  const second = lookUp('known 2')
  await answer()
  expect((await second).value?.caller.subject).toBe('known 2')
})
