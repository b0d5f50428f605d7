// The steps of subscriptions, each as the contract requires. A broken server replaces one of them.

export interface SubscriptionSteps {
  /** Refuses every connection, if there are no subscriptions at all. */
  readonly knowsSubscriptions: () => void
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
  answerId: (messageId) => messageId,
  subscriptionId: (kept, fresh) => kept ?? fresh(),
  toldId: (subscriptionId) => subscriptionId,
  tellsNothingNew: () => false,
}
