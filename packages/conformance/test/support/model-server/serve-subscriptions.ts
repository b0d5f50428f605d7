// The subscriptions of the model: every message replaces the list, and later commits are sent for the sets in it.
import type { StreamMessage } from '@octavo/protocol'
import type { WebSocket } from 'ws'
import { idOf, type ModelObject } from './model-data.ts'
import type { ModelAsk } from './model-ask.ts'
import { errorBody, ModelRefusal } from './model-refusal.ts'
import { latestVersion } from './model-store.ts'
import type { PageParts } from './serve-page.ts'
import { askOf, queryOfSet, type Wire } from './serve-v2.ts'

interface Subscription {
  readonly key: string
  readonly id: string
  readonly ask: ModelAsk
  readonly propertySet: readonly string[]
  /** The last version whose changes were sent. */
  sentVersion: number
}

type Response = Extract<StreamMessage, { readonly type: 'subscribeResponses' }>['responses'][number]

interface ListMessage {
  readonly id: string
  readonly requests: readonly Wire[]
}

const looksEveryMilliseconds = 10

export function serveSubscriptions(parts: PageParts, socket: WebSocket): void {
  const { steps, store } = parts
  let list: readonly Subscription[] = []
  let given = 0
  const fresh = (): string => `s${(given += 1)}`
  const say = (message: StreamMessage): void => socket.send(JSON.stringify(message))

  const begun = (request: Wire, before: Subscription[]): Subscription => {
    const ask = askOf(queryOfSet(parts, request['objectSet'] as Wire))
    const key = JSON.stringify(request)
    const at = before.findIndex((each) => each.key === key)
    const [kept] = at === -1 ? [] : before.splice(at, 1)
    const id = steps.subscriptionId(kept?.id, fresh)
    const propertySet = request['propertySet'] as readonly string[]
    return { key, id, ask, propertySet, sentVersion: kept?.sentVersion ?? latestVersion(store) }
  }

  const replace = ({ id, requests }: ListMessage): void => {
    const before = [...list]
    const next: Subscription[] = []
    const responses = requests.map((request): Response => {
      try {
        const subscription = begun(request, before)
        next.push(subscription)
        return { type: 'success', id: subscription.id }
      } catch (error) {
        if (!(error instanceof ModelRefusal)) throw error
        const args = [{ name: 'body', value: JSON.stringify(errorBody(error)) }]
        return { type: 'error', errors: [{ error: error.errorName, args }] }
      }
    })
    list = next
    say({ type: 'subscribeResponses', id: steps.answerId(id), responses })
  }

  const tell = (): void => {
    for (const subscription of list) {
      const { ask, sentVersion: from } = subscription
      const to = latestVersion(store)
      if (to === from) continue
      subscription.sentVersion = to
      const updates = steps
        .changesBetween(store, { ask, from, to })
        .map((change) =>
          change.type === 'put'
            ? update('ADDED_OR_UPDATED', recordOf(subscription, change.object))
            : update('REMOVED', recordOf(subscription, { id: change.id })),
        )
      if (updates.length > 0 || steps.tellsNothingNew())
        say({ type: 'objectSetChanged', id: steps.toldId(subscription.id), updates })
    }
  }

  const timer = setInterval(tell, looksEveryMilliseconds)
  socket.on('close', () => clearInterval(timer))
  // The model gets texts, never pieces of them.
  socket.on('message', (data: Buffer) => replace(JSON.parse(data.toString())))
}

type Update = Extract<StreamMessage, { readonly type: 'objectSetChanged' }>['updates'][number]

const update = (state: Update['state'], object: Update['object']): Update => ({
  type: 'object',
  object,
  state,
})

const recordOf = ({ ask, propertySet }: Subscription, object: ModelObject): Update['object'] => ({
  __primaryKey: idOf(object),
  __apiName: ask.objectType,
  ...Object.fromEntries(
    Object.entries(object).filter(([name]) => name === 'id' || propertySet.includes(name)),
  ),
})
