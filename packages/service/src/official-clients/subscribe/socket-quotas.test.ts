import { expect, it } from 'vitest'
import { socketQuotas } from './socket-quotas.ts'

const few = { connections: 3, connectionsOfCaller: 2, all: 3, allOfCaller: 2, bytesOfCaller: 1 }

it.for([
  ['connections', 'takeSocket', 'sockets'],
  ['subscriptions', 'takeSubscription', 'subscriptions'],
] as const)(
  'P366: one caller cannot take all %s, and all callers together no more than there are',
  ([, take, counted]) => {
    const quotas = socketQuotas(few)
    const giveBack = quotas[take]('ada')
    quotas[take]('ada')
    expect(() => quotas[take]('ada')).toThrow(expect.objectContaining({ errorName: 'RateLimited' }))
    quotas[take]('grace')
    expect(() => quotas[take]('grace')).toThrow(expect.objectContaining({ errorName: 'Overloaded' }))
    giveBack()
    giveBack()
    expect(quotas.counts()).toEqual({ sockets: 0, subscriptions: 0, [counted]: 2 })
    quotas[take]('ada')
    expect(() => quotas[take]('grace')).toThrow(expect.objectContaining({ errorName: 'Overloaded' }))
  },
)
