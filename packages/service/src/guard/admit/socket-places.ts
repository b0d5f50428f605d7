// How many connections for subscriptions an instance keeps open, and how many subscriptions they have: each costs memory for as long
// as its client likes.
import { limits } from '@octavo/protocol'
import { overloaded } from './shed.ts'
import { ServiceError } from '../../base/errors/service-error.ts'

export interface SocketPlaces {
  /** Takes a place for a connection of the caller, or refuses it. Returns what gives it back. */
  readonly takeSocket: (subject: string) => () => void
  readonly takeSubscription: () => () => void
  readonly counts: () => { readonly sockets: number; readonly subscriptions: number }
}

export interface SocketLimits {
  readonly connections: number
  readonly connectionsOfCaller: number
  readonly all: number
}

/** Connections last long: there is little hope that one ends sooner. */
const retryAfterSeconds = 30

export function socketPlaces(most: SocketLimits = limits.subscription): SocketPlaces {
  const bySubject = new Map<string, number>()
  let sockets = 0
  let subscriptions = 0
  const once = (giveBack: () => void): (() => void) => {
    let isGiven = false
    return () => {
      if (!isGiven) giveBack()
      isGiven = true
    }
  }
  return {
    counts: () => ({ sockets, subscriptions }),
    takeSocket: (subject) => {
      const own = bySubject.get(subject) ?? 0
      if (own >= most.connectionsOfCaller) throw new ServiceError('RateLimited', { retryAfterSeconds })
      if (sockets >= most.connections) throw overloaded('queue', retryAfterSeconds)
      sockets += 1
      bySubject.set(subject, own + 1)
      return once(() => {
        sockets -= 1
        const left = (bySubject.get(subject) ?? 1) - 1
        if (left === 0) bySubject.delete(subject)
        else bySubject.set(subject, left)
      })
    },
    takeSubscription: () => {
      if (subscriptions >= most.all) throw overloaded('queue', retryAfterSeconds)
      subscriptions += 1
      return once(() => {
        subscriptions -= 1
      })
    },
  }
}
