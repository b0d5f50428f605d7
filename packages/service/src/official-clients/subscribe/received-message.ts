// A message of the client, as it is served: no more requests of it than a connection may have are looked at.
import { limits, subscribeMessageSchema, type SubscribeMessage } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { isJsonObject } from '../../base/value/json-object.ts'
import { shapeChecker } from '../../read/request/check-shape.ts'

export interface ReceivedMessage extends SubscribeMessage {
  /** Whether there were more requests. They have one answer together. */
  readonly hasMore: boolean
  /** How long the message was. */
  readonly bytes: number
}

const most = limits.subscription.perConnection
const check = shapeChecker(subscribeMessageSchema)

export function receivedMessage(text: string): ReceivedMessage {
  const given: unknown = JSON.parse(text)
  const bytes = Buffer.byteLength(text)
  if (!isJsonObject(given) || !Array.isArray(given['requests']))
    return { ...check(given), hasMore: false, bytes }
  const requests: readonly unknown[] = given['requests']
  const message = check({ ...given, requests: requests.slice(0, most) })
  return { ...message, hasMore: requests.length > most, bytes }
}

export const tooManyRequests = (): ServiceError =>
  new ServiceError('Conjure:UnprocessableEntity', {
    path: '/requests',
    problem: `it must have at most ${most} requests: open another connection for more`,
  })
