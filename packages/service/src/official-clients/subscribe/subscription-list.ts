// The subscriptions of one connection. Each message of the client replaces the whole list; a request that was in the list before
// keeps its subscription, and so its id, because clients drop what comes for an id that they have forgotten.
import type { ErrorBody, StreamMessage } from '@octavo/protocol'
import type { ServiceError } from '../../base/errors/service-error.ts'
import type { OntologyTarget } from '../../catalog/find-object-type.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { SubscriptionService } from './socket-quotas.ts'
import { canonicalJson } from '../../read/request/request-identity.ts'
import { beginFollowing } from './begin-following.ts'
import { followSet, type Following, type KnownSet } from './follow-set.ts'
import { parseSubscription, type FollowedSet, type WantedSet } from './followed-set.ts'
import { settledInTurn } from './in-turn.ts'
import type { News } from './read-news.ts'
import { tooManyRequests, type ReceivedMessage } from './received-message.ts'
import { errorOf, writeResponses, type Outcome } from './write-responses.ts'

/** The connection to the client. */
export interface Connection {
  readonly requestId: string
  readonly target: OntologyTarget
  /** Checks the credentials again and returns who listens. */
  readonly caller: () => Promise<Caller>
  /** Does the work after all that was to be done for the same caller before. */
  readonly takeTurn: Following['takeTurn']
  /** Sends the pieces as one message. */
  readonly send: (...pieces: readonly (string | Buffer)[]) => void
  readonly hasRoom: () => Promise<void>
  readonly isFull: () => boolean
  readonly stopping: AbortSignal
  /** Explains a failure to the client, and reports it. */
  readonly failureOf: (error: unknown) => { readonly status: number; readonly body: ErrorBody }
  readonly explain: (error: unknown) => ServiceError
  /** The client may not continue. */
  readonly refuse: () => void
}

export interface SubscriptionList {
  /** Answers a message of the client, in its turn. */
  readonly replace: (message: ReceivedMessage, caller: Caller) => Promise<void>
  readonly end: () => void
}

interface Subscription {
  readonly id: string
  readonly wanted: WantedSet
  readonly key: string
  /** Aborts when the subscription has ended, for whatever reason. */
  readonly signal: AbortSignal
  readonly end: () => void
}

export function subscriptionList(service: SubscriptionService, connection: Connection): SubscriptionList {
  const { observe } = service
  let list: readonly Subscription[] = []
  let idsUsed = 0
  const closed = new AbortController()

  const say = (message: StreamMessage): void => {
    connection.send(JSON.stringify(message))
    observe({ kind: 'subscription-message-sent', message: message.type })
  }

  const sendChanges = (id: string, caller: Caller, set: FollowedSet, news: Changes): boolean => {
    if (connection.isFull()) return false
    connection.send(`{"type":"objectSetChanged","id":${JSON.stringify(id)},"updates":[`, news.updates, ']}')
    observe({ kind: 'subscription-message-sent', message: 'objectSetChanged' })
    observe({
      kind: 'objects-read',
      requestId: connection.requestId,
      subject: caller.subject,
      endpoint: 'subscribeToObjectSetsV2',
      ontologyRid: set.ontology.rid,
      objectType: set.type.apiName,
      objects: news.objects,
      bytes: news.updates.length,
      mode: 'snapshot',
    })
    return true
  }

  const follow = async ({ id, wanted, signal, end }: Subscription, known: KnownSet) => {
    const following: Following = {
      ...connection,
      wanted,
      signal,
      sendChanges: (caller, set, news) => sendChanges(id, caller, set, news),
      sendRefresh: ({ type }) => say({ type: 'refreshObjectSet', id, objectType: type.apiName }),
    }
    try {
      await followSet(service, following, known)
    } catch (error) {
      const { body } = connection.failureOf(error)
      end()
      if (body.errorName === 'Default:Unauthorized' || body.errorName === 'ApiUsageDenied')
        connection.refuse()
      else say({ type: 'subscriptionClosed', id, cause: { type: 'error', ...errorOf(body) } })
    }
  }

  const newSubscription = (wanted: WantedSet, key: string, { subject }: Caller): Subscription => {
    const giveBack = service.sockets.takeSubscription(subject)
    const ended = new AbortController()
    const end = (): void => {
      ended.abort()
      giveBack()
    }
    idsUsed += 1
    return { id: String(idsUsed), wanted, key, signal: ended.signal, end }
  }

  return {
    replace: async ({ id, requests, hasMore, bytes }, caller) => {
      const before = [...list]
      const requested = await settledInTurn(requests, async (request) => {
        const wanted = parseSubscription(request)
        const key = canonicalJson(wanted)
        const at = before.findIndex((each) => each.key === key && !each.signal.aborted)
        const [kept] = at === -1 ? [] : before.splice(at, 1)
        return kept ?? newSubscription(wanted, key, caller)
      })
      const next = requested.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      const fresh = next.filter((each) => !list.includes(each))
      const known = await beginFollowing(
        service,
        { caller, target: connection.target, signal: closed.signal },
        fresh.map(({ wanted }) => wanted),
      )
      const begun = new Map(fresh.map((each, i) => [each, known[i]]))
      for (const [{ end }, result] of begun) if (result?.status === 'rejected') end()
      for (const { end } of closed.signal.aborted ? [...before, ...next] : before) end()
      // One of them may have ended meanwhile.
      list = next.filter(({ signal }) => !signal.aborted)
      if (closed.signal.aborted) return
      const outcomes = requested.map((each) => outcomeOf(each, begun))
      if (hasMore) outcomes.push({ kind: 'failure', error: tooManyRequests() })
      const responses = writeResponses(outcomes, { id, bytes, ...connection })
      say({ type: 'subscribeResponses', id, responses })
      // Nothing is sent about a subscription before its id.
      for (const [subscription, result] of begun)
        if (result?.status === 'fulfilled') void follow(subscription, result.value)
    },
    end: () => {
      closed.abort()
      for (const { end } of list) end()
      list = []
    },
  }
}

type Changes = Extract<News, { readonly kind: 'changes' }>

function outcomeOf(
  requested: PromiseSettledResult<Subscription>,
  begun: ReadonlyMap<Subscription, PromiseSettledResult<KnownSet> | undefined>,
): Outcome {
  if (requested.status === 'rejected') return { kind: 'failure', error: requested.reason }
  const known = begun.get(requested.value)
  return known?.status === 'rejected'
    ? { kind: 'failure', error: known.reason }
    : { kind: 'success', id: requested.value.id }
}
