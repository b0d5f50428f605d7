import { expect, it } from 'vitest'
import { socketPlaces } from './socket-places.ts'

const few = { connections: 3, connectionsOfCaller: 2, all: 2 }

it('P366: one caller cannot take all connections, and all callers together no more than there are', () => {
  const places = socketPlaces(few)
  const giveBack = places.takeSocket('ada')
  places.takeSocket('ada')
  expect(() => places.takeSocket('ada')).toThrow(expect.objectContaining({ errorName: 'RateLimited' }))
  places.takeSocket('grace')
  expect(() => places.takeSocket('grace')).toThrow(expect.objectContaining({ errorName: 'Overloaded' }))
  giveBack()
  giveBack()
  expect(places.counts()).toEqual({ sockets: 2, subscriptions: 0 })
  places.takeSocket('ada')
  expect(() => places.takeSocket('grace')).toThrow(expect.objectContaining({ errorName: 'Overloaded' }))
})

it('P366: subscriptions beyond those of an instance are refused until one is given back', () => {
  const places = socketPlaces(few)
  const giveBack = places.takeSubscription()
  places.takeSubscription()
  expect(() => places.takeSubscription()).toThrow(expect.objectContaining({ errorName: 'Overloaded' }))
  giveBack()
  giveBack()
  expect(places.counts().subscriptions).toBe(1)
})
