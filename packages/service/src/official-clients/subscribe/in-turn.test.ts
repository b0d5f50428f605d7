import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { callerTurns, settledInTurn } from './in-turn.ts'

/** Work that is done when the test says so. */
function heldWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => async (): Promise<string> => {
    begun.push(name)
    await new Promise<void>((end) => ends.set(name, end))
    return name
  }
  return { begun, work, end: (name: string) => ends.get(name)?.() }
}

const afterTurns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await nextTurn()
}

it('P392: a caller has one turn at a time, in the order in which it asked; others do not wait for it', async () => {
  const takeTurn = callerTurns()
  const { begun, work, end } = heldWork()
  const turns = ['ada 1', 'ada 2', 'grace 1'].map((name) => takeTurn(name.split(' ')[0] ?? '', work(name)))
  await afterTurns(5)
  expect(begun).toEqual(['ada 1', 'grace 1'])
  end('ada 1')
  await afterTurns(5)
  expect(begun).toEqual(['ada 1', 'grace 1', 'ada 2'])
  end('ada 2')
  end('grace 1')
  expect(await Promise.all(turns)).toEqual(['ada 1', 'ada 2', 'grace 1'])
})

it('P392: what fails ends its own turn only', async () => {
  const takeTurn = callerTurns()
  const failing = takeTurn('ada', async () => Promise.reject(new Error('no')))
  const next = takeTurn('ada', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

it.for([
  [
    'turns of one caller',
    (work: () => Promise<void>, takeTurn = callerTurns()) =>
      Promise.all(Array.from({ length: 20 }, () => takeTurn('ada', work))),
  ],
  [
    'the requests of one message',
    (work: () => Promise<void>) => settledInTurn(Array.from({ length: 20 }), work),
  ],
] as const)('P392: the event loop continues between %s', async ([, all]) => {
  let turns = 0
  const seen = new Set<number>()
  const count = (): void => {
    turns += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  await all(async () => void seen.add(turns))
  clearImmediate(counting)
  expect(seen.size).toBe(20)
})
