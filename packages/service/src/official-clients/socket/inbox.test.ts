import { expect, it } from 'vitest'
import { inboxOf } from './inbox.ts'

function inboxWithCount() {
  let bytes = 0
  const ofCaller = {
    add: (more: number) => (bytes += more),
    isFull: () => bytes > 100,
    onRoom: () => () => {},
  }
  return { inbox: inboxOf(ofCaller), bytes: () => bytes }
}

it('P394: what has arrived counts until it is answered, and a part of a message as well', () => {
  const { inbox, bytes } = inboxWithCount()
  inbox.arrived(60)
  expect(inbox.isFull()).toBe(false)
  inbox.arrived(50)
  expect(inbox.isFull()).toBe(true)
  const whole = inbox.message()
  inbox.arrived(20)
  inbox.answered(whole)
  expect([whole, bytes()]).toEqual([110, 20])
  inbox.end()
  inbox.end()
  inbox.answered(whole)
  expect(bytes()).toBe(0)
})

it('P394: a ping is no part of a message', () => {
  const { inbox, bytes } = inboxWithCount()
  inbox.arrived(6 + 4)
  inbox.control(Buffer.alloc(4))
  expect(bytes()).toBe(0)
  inbox.control(Buffer.alloc(4))
  expect(bytes()).toBe(0)
})
