// The steps of subscriptions, each as the contract requires. A broken server replaces one of them.
import { refuse } from './model-refusal.ts'

export interface SubscriptionSteps {
  /** Refuses every connection, if there are no subscriptions at all. */
  readonly knowsSubscriptions: () => void
  /** The answer to a request that is not for a web socket. */
  readonly withoutSocket: () => object
  /** The id of the answer to a message with this id. */
  readonly answerId: (messageId: string) => string
  /** The id of a subscription. `kept` is the one that it has already. */
  readonly subscriptionId: (kept: string | undefined, fresh: () => string) => string
  /** The id with which messages about a subscription are sent. */
  readonly toldId: (subscriptionId: string) => string
  /** Whether a message is sent about a set in which nothing has changed. */
  readonly tellsNothingNew: () => boolean
}

export const correctSubscriptionSteps: SubscriptionSteps = {
  knowsSubscriptions: () => {},
  withoutSocket: () => refuse('InvalidParameterValue', { parameterId: 'Upgrade', parameterValue: '' }),
  answerId: (messageId) => messageId,
  subscriptionId: (kept, fresh) => kept ?? fresh(),
  toldId: (subscriptionId) => subscriptionId,
  tellsNothingNew: () => false,
}
