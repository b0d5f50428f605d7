import { expect, it } from 'vitest'
import { clockWatch } from './clock-watch.ts'
import type { WaitLimits } from './waiting-requests.ts'

const type = { schema: 's', id: 1 }
const never = new AbortController().signal
const limits = (subject: string): WaitLimits => ({
  subject,
  milliseconds: 20_000,
  signal: never,
  stopping: never,
})

it('P393: a caller that waits beside thousands of another one is woken among the first', async () => {
  const watch = clockWatch({
    newestStates: async () => new Map([[1, { version: '2', tag: 'b' }]]),
    accessVersion: async () => '1',
  })
  const woken: string[] = []
  const wait = async (subject: string): Promise<void> => {
    const { why } = await watch.wait(type, { version: '1', tag: 'a' }, limits(subject))
    woken.push(`${subject} ${why}`)
  }
  const all = Array.from({ length: 2_000 }, () => wait('ada'))
  all.push(wait('grace'))
  expect(watch.waiting()).toBe(2_001)
  await Promise.all(all)
  expect(woken.indexOf('grace changed')).toBeLessThan(2)
  expect(woken.filter((each) => each === 'ada changed')).toHaveLength(2_000)
  expect(watch.waiting()).toBe(0)
})

it('P393: a waiting request that is about to be woken is woken once, and may leave before', async () => {
  let reads = 0
  const watch = clockWatch({
    newestStates: async () => {
      reads += 1
      return new Map([[1, { version: '2', tag: 'b' }]])
    },
    accessVersion: async () => String(reads),
  })
  const leaving = new AbortController()
  const stays = Array.from({ length: 500 }, () => watch.wait(type, { version: '1', tag: 'a' }, limits('ada')))
  const leaves = watch.wait(type, { version: '1', tag: 'a' }, { ...limits('ada'), signal: leaving.signal })
  void stays[0]?.then(() => leaving.abort(new Error('gone')))
  await expect(leaves).rejects.toThrow('gone')
  expect((await Promise.all(stays)).every(({ why }) => why === 'changed')).toBe(true)
  expect(watch.waiting()).toBe(0)
})
