// The messages of a subscription socket, in both directions.
import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { closed, optional, type Wire } from '../base/wire.ts'
import { flatObjectSchema } from './object-record.ts'
import { objectSetSchema } from './object-set.ts'

/** The requests are checked one by one, and each gets its own answer. */
export const subscribeMessageSchema = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 255 }),
    requests: Type.Array(Type.Unknown(), { maxItems: limits.subscription.perConnection }),
  },
  closed,
)
export type SubscribeMessage = Wire<typeof subscribeMessageSchema>

export const subscriptionRequestSchema = Type.Object(
  {
    objectSet: objectSetSchema,
    propertySet: Type.Array(Type.String(), { description: 'The properties to tell; the key always comes.' }),
    referenceSet: optional(Type.Array(Type.String(), { maxItems: 0, description: 'Empty.' })),
    objectLoadingResponseOptions: optional(
      Type.Object({ shouldLoadObjectRids: optional(Type.Boolean()) }, closed),
    ),
  },
  closed,
)
export type SubscriptionRequest = Wire<typeof subscriptionRequestSchema>

const subscriptionId = Type.String()
const errorSchema = Type.Object({
  error: Type.String({ description: 'The name of the error.' }),
  args: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
})

/** What the service sends. */
export const streamMessageSchema = Type.Union([
  Type.Object({
    type: Type.Literal('subscribeResponses'),
    id: Type.String({ description: 'That of the message that is answered.' }),
    responses: Type.Array(
      Type.Union([
        Type.Object({ type: Type.Literal('success'), id: subscriptionId }),
        Type.Object({ type: Type.Literal('error'), errors: Type.Array(errorSchema) }),
        Type.Object({ type: Type.Literal('qos') }),
      ]),
    ),
  }),
  Type.Object({
    type: Type.Literal('objectSetChanged'),
    id: subscriptionId,
    updates: Type.Array(
      Type.Object({
        type: Type.Literal('object'),
        object: flatObjectSchema,
        state: Type.Enum(['ADDED_OR_UPDATED', 'REMOVED']),
      }),
    ),
  }),
  Type.Object({ type: Type.Literal('refreshObjectSet'), id: subscriptionId, objectType: Type.String() }),
  Type.Object({
    type: Type.Literal('subscriptionClosed'),
    id: subscriptionId,
    cause: Type.Union([
      Type.Object({
        type: Type.Literal('reason'),
        reason: Type.Enum(['USER_CLOSED', 'CHANNEL_CLOSED']),
      }),
      Type.Object({ type: Type.Literal('error'), ...errorSchema.properties }),
    ]),
  }),
])
export type StreamMessage = Wire<typeof streamMessageSchema>
