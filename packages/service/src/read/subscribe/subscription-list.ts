// The subscriptions of one connection. Each message of the client replaces the whole list; a request that was in the list before
// keeps its subscription, and so its id, because clients drop what comes for an id that they have forgotten.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ErrorBody, StreamMessage } from '@octavo/protocol'
import { invariant } from '../../base/errors/invariant.ts'
import type { ServiceError } from '../../base/errors/service-error.ts'
import type { OntologyTarget } from '../../catalog/find-object-type.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { PageService } from '../page-service.ts'
import { canonicalJson } from '../request/request-identity.ts'
import { beginFollowing, followSet, type Following, type KnownSet } from './follow-set.ts'
import { parseSubscription, type FollowedSet, type WantedSet } from './followed-set.ts'
import type { News } from './read-news.ts'
import { tooManyRequests, type ReceivedMessage } from './received-message.ts'
import { errorOf, writeResponses, type Outcome } from './write-responses.ts'

/** The connection to the client. */
export interface Connection {
  readonly requestId: string
  readonly target: OntologyTarget
  /** Who listens, checked anew. */
  readonly caller: () => Promise<Caller>
  /** Sends the pieces as one message. */
  readonly send: (...pieces: readonly (string | Buffer)[]) => void
  readonly hasRoom: () => Promise<void>
  readonly isFull: () => boolean
  readonly stopping: AbortSignal
  /** Explains a failure to the client, and reports it. */
  readonly failureOf: (error: unknown) => { readonly status: number; readonly body: ErrorBody }
  readonly explain: (error: unknown) => ServiceError
  /** The client may not go on. */
  readonly refuse: () => void
}

export interface SubscriptionList {
  /** Answers a message of the client. */
  readonly replace: (message: ReceivedMessage, caller: Caller) => Promise<void>
  readonly end: () => void
}

interface Subscription {
  readonly id: string
  readonly key: string
  /** Aborts when the subscription has ended, for whatever reason. */
  readonly signal: AbortSignal
  readonly end: () => void
}

export function subscriptionList(service: PageService, connection: Connection): SubscriptionList {
  const { observe } = service
  let list: readonly Subscription[] = []
  let given = 0
  let isOver = false

  const say = (message: StreamMessage): void => {
    connection.send(JSON.stringify(message))
    observe({ kind: 'subscription-told', message: message.type })
  }

  const tellChanges = (id: string, caller: Caller, set: FollowedSet, news: Changes): boolean => {
    if (connection.isFull()) return false
    connection.send(`{"type":"objectSetChanged","id":${JSON.stringify(id)},"updates":[`, news.updates, ']}')
    observe({ kind: 'subscription-told', message: 'objectSetChanged' })
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

  const follow = async ({ id, signal, end }: Subscription, wanted: WantedSet, known: KnownSet) => {
    const following: Following = {
      ...connection,
      wanted,
      signal,
      tell: (caller, set, news) => tellChanges(id, caller, set, news),
      tellRefresh: ({ type }) => say({ type: 'refreshObjectSet', id, objectType: type.apiName }),
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

  const begin = async (wanted: WantedSet, key: string, caller: Caller): Promise<Begun> => {
    const giveBack = service.sockets.takeSubscription()
    try {
      const known = await beginFollowing(service, { ...connection, wanted }, caller)
      given += 1
      const ended = new AbortController()
      const end = (): void => {
        ended.abort()
        giveBack()
      }
      const subscription = { id: String(given), key, signal: ended.signal, end }
      return { subscription, start: () => void follow(subscription, wanted, known) }
    } catch (error) {
      giveBack()
      throw error
    }
  }

  return {
    replace: async ({ id, requests, hasMore, bytes }, caller) => {
      const before = [...list]
      const next: Subscription[] = []
      const starts: (() => void)[] = []
      const answer = async (request: unknown): Promise<Outcome> => {
        const wanted = parseSubscription(request)
        const key = canonicalJson(wanted)
        const at = before.findIndex((each) => each.key === key && !each.signal.aborted)
        const [kept] = at === -1 ? [] : before.splice(at, 1)
        const begun = kept === undefined ? await begin(wanted, key, caller) : undefined
        const subscription = kept ?? begun?.subscription
        invariant(subscription !== undefined, 'subscription-neither-kept-nor-begun')
        next.push(subscription)
        if (begun !== undefined) starts.push(begun.start)
        return { kind: 'success', id: subscription.id }
      }
      const outcomes: Outcome[] = []
      for (const request of requests) {
        outcomes.push(await answer(request).catch((error: unknown) => ({ kind: 'failure', error })))
        await nextTurn()
      }
      if (hasMore) outcomes.push({ kind: 'failure', error: tooManyRequests() })
      for (const { end } of isOver ? [...before, ...next] : before) end()
      // One of them may have ended meanwhile.
      list = next.filter(({ signal }) => !signal.aborted)
      if (isOver) return
      say({
        type: 'subscribeResponses',
        id,
        responses: writeResponses(outcomes, { id, bytes, ...connection }),
      })
      // Nothing is told of a subscription before its id.
      for (const start of starts) start()
    },
    end: () => {
      isOver = true
      for (const { end } of list) end()
      list = []
    },
  }
}

interface Begun {
  readonly subscription: Subscription
  readonly start: () => void
}

type Changes = Extract<News, { readonly kind: 'changes' }>
