// How many connections for subscriptions an instance keeps open, and how many subscriptions they have: each costs memory for as long
// as its client likes. No caller gets all of them.
import { limits } from '@octavo/protocol'
import { callerBytes, type BytesOfCaller } from './caller-bytes.ts'
import { overloaded } from '../../guard/admit/shed.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { PageService } from '../../read/walk/page-service.ts'

export interface SocketQuotas {
  /** Takes one connection of the caller, or refuses it. Returns what gives it back. */
  readonly takeSocket: TakeShare
  readonly takeSubscription: TakeShare
  /** What has arrived from a caller and is not answered yet. */
  readonly arrived: (subject: string) => BytesOfCaller
  /** What a caller has not taken yet. */
  readonly unsent: (subject: string) => BytesOfCaller
  readonly counts: () => { readonly sockets: number; readonly subscriptions: number }
}

type TakeShare = (subject: string) => () => void

export type SocketLimits = Readonly<
  Record<'connections' | 'connectionsOfCaller' | 'all' | 'allOfCaller' | 'bytesOfCaller', number>
>

/** Connections last long: there is little hope that one ends sooner. */
const retryAfterSeconds = 30

export function socketQuotas(most: SocketLimits = limits.subscription): SocketQuotas {
  const sockets = sharedQuota(most.connections, most.connectionsOfCaller)
  const subscriptions = sharedQuota(most.all, most.allOfCaller)
  return {
    takeSocket: sockets.take,
    takeSubscription: subscriptions.take,
    arrived: callerBytes(most.bytesOfCaller),
    unsent: callerBytes(most.bytesOfCaller),
    counts: () => ({ sockets: sockets.taken(), subscriptions: subscriptions.taken() }),
  }
}

function sharedQuota(all: number, ofCaller: number) {
  const bySubject = new Map<string, number>()
  let taken = 0
  const take: TakeShare = (subject) => {
    const own = bySubject.get(subject) ?? 0
    if (own >= ofCaller) throw new ServiceError('RateLimited', { retryAfterSeconds })
    if (taken >= all) throw overloaded('queue', retryAfterSeconds)
    taken += 1
    bySubject.set(subject, own + 1)
    let isGiven = false
    return () => {
      if (isGiven) return
      isGiven = true
      taken -= 1
      const left = (bySubject.get(subject) ?? 1) - 1
      if (left === 0) bySubject.delete(subject)
      else bySubject.set(subject, left)
    }
  }
  return { take, taken: () => taken }
}

/** What subscriptions need besides what pages need. */
export interface SubscriptionService extends PageService {
  readonly sockets: SocketQuotas
}
