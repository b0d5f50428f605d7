import { limits } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { callerBytes } from '../subscribe/caller-bytes.ts'
import { outboxOf } from './outbox.ts'

/** A connection whose client takes messages only when the test says so. */
function slowClient(ofCaller = callerBytes(limits.subscription.bytesOfCaller)('ada')) {
  const sent: { piece: string; fin: boolean | undefined; taken: () => void }[] = []
  let now = 0
  const socket = {
    send: (piece: unknown, options: { fin?: boolean }, taken: () => void) =>
      sent.push({ piece: String(piece), fin: options.fin, taken }),
  }
  const outbox = outboxOf(socket as never, ofCaller, () => now)
  return { outbox, sent, takeOne: () => sent.shift()?.taken(), at: (time: number) => (now = time) }
}

const isDone = async (waiting: Promise<void>): Promise<boolean> =>
  Promise.race([waiting.then(() => true), new Promise<boolean>((no) => setImmediate(no, false))])

it('P367: it is full once it holds more than a message may have, and has room once that is taken', async () => {
  const { outbox, takeOne } = slowClient()
  outbox.send('x'.repeat(limits.subscription.bytes))
  expect(outbox.isFull()).toBe(false)
  outbox.send('x')
  expect(outbox.isFull()).toBe(true)
  const waiting = outbox.hasRoom()
  expect(await isDone(waiting)).toBe(false)
  takeOne()
  expect(await isDone(waiting)).toBe(true)
  expect(outbox.isFull()).toBe(false)
})

it('P367: nobody waits for a connection that has ended', async () => {
  const { outbox } = slowClient()
  outbox.send('x'.repeat(limits.subscription.bytes + 1))
  const waiting = outbox.hasRoom()
  outbox.end()
  expect(await isDone(waiting)).toBe(true)
})

it('P367: it is stuck since the client last took something', () => {
  const { outbox, takeOne, at } = slowClient()
  expect(outbox.stuckSince()).toBeUndefined()
  at(5)
  outbox.send('a', 'b')
  at(7)
  expect(outbox.stuckSince()).toBe(5)
  takeOne()
  at(9)
  expect(outbox.stuckSince()).toBe(7)
  takeOne()
  expect(outbox.stuckSince()).toBeUndefined()
})

it('sends the pieces as one message', () => {
  const { outbox, sent } = slowClient()
  outbox.send('a', 'b', 'c')
  expect(sent.map(({ piece, fin }) => [piece, fin])).toEqual([
    ['a', false],
    ['b', false],
    ['c', true],
  ])
})

it('P394: it is full as well while all connections of its caller together hold too much', async () => {
  const ofCaller = callerBytes(10)('ada')
  const [one, other] = [slowClient(ofCaller), slowClient(ofCaller)]
  one.outbox.send('x'.repeat(11))
  expect(other.outbox.isFull()).toBe(true)
  const waiting = other.outbox.hasRoom()
  expect(await isDone(waiting)).toBe(false)
  one.outbox.end()
  expect(await isDone(waiting)).toBe(true)
  // Bytes that the client takes later are not counted twice.
  one.takeOne()
  other.outbox.send('x'.repeat(10))
  expect(other.outbox.isFull()).toBe(false)
})
