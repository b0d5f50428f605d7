import { expect, it } from 'vitest'
import { socketPlaces } from './socket-places.ts'

const few = { connections: 3, connectionsOfCaller: 2, all: 3, allOfCaller: 2, bytesOfCaller: 1 }

it.for([
  ['connections', 'takeSocket', 'sockets'],
  ['subscriptions', 'takeSubscription', 'subscriptions'],
] as const)(
  'P366: one caller cannot take all %s, and all callers together no more than there are',
  ([, take, counted]) => {
    const places = socketPlaces(few)
    const giveBack = places[take]('ada')
    places[take]('ada')
    expect(() => places[take]('ada')).toThrow(expect.objectContaining({ errorName: 'RateLimited' }))
    places[take]('grace')
    expect(() => places[take]('grace')).toThrow(expect.objectContaining({ errorName: 'Overloaded' }))
    giveBack()
    giveBack()
    expect(places.counts()).toEqual({ sockets: 0, subscriptions: 0, [counted]: 2 })
    places[take]('ada')
    expect(() => places[take]('grace')).toThrow(expect.objectContaining({ errorName: 'Overloaded' }))
  },
)
