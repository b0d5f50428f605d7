// One connection for subscriptions: its messages are answered one after another, each after its credentials were checked again.
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@octavo/protocol'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { OntologyTarget } from '../../catalog/find-object-type.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { SubscriptionService } from '../subscribe/socket-quotas.ts'
import { passesByItself } from '../subscribe/follow-set.ts'
import { receivedMessage } from '../subscribe/received-message.ts'
import type { TakeTurn } from '../subscribe/in-turn.ts'
import { subscriptionList } from '../subscribe/subscription-list.ts'
import { callerOf } from '../../http/require-right.ts'
import type { LookedAfter } from './look-after.ts'
import { inboxOf } from './inbox.ts'
import { outboxOf } from './outbox.ts'

/** RFC 6455, section 7.4.1. */
export const closeCodes = {
  goingAway: 1001,
  unsupportedData: 1003,
  invalidPayload: 1007,
  refused: 1008,
  failed: 1011,
} as const

export interface SocketContext {
  readonly app: Pick<FastifyInstance, 'authorize' | 'authorizeAgain' | 'failureOf' | 'explain'>
  readonly request: FastifyRequest
  readonly target: OntologyTarget
  readonly stopping: AbortSignal
  readonly elapsed: () => number
  readonly takeTurn: TakeTurn
  /** What carries the web socket. */
  readonly connection: Pick<Socket, 'prependListener'>
}

interface Arrived {
  readonly data: RawData
  /** As much has arrived for it. */
  readonly bytes: number
}

const tooMuch = 'Wait for answers before sending more messages.'
/** How long a client may take to read why it is disconnected. */
const goodbyeMs = 1_000
const paceMs = 1_000 / limits.subscription.messagesPerSecond

export function serveSocket(
  service: SubscriptionService,
  socket: WebSocket,
  { app, request, target, stopping, elapsed, takeTurn, connection }: SocketContext,
): LookedAfter {
  let heardAt = elapsed()
  let checkedAt = heardAt
  const { subject } = callerOf(request)
  const outbox = outboxOf(socket, service.sockets.unsent(subject), elapsed)
  const inbox = inboxOf(service.sockets.arrived(subject))
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => takeTurn(subject, work)
  const waiting: Arrived[] = []
  const drop = (): void => {
    for (const { bytes } of waiting.splice(0)) inbox.answered(bytes)
  }
  const end = (code: number, reason?: string): void => {
    drop()
    socket.close(code, reason)
    // Otherwise the client's own goodbye would not be read.
    socket.resume()
  }
  const refuse = (): void => end(closeCodes.refused, 'The credentials do not allow this any more.')
  const checked = async (authorize: typeof app.authorize): Promise<Caller> => {
    await authorize(request)
    checkedAt = elapsed()
    return callerOf(request)
  }
  const list = subscriptionList(service, {
    ...outbox,
    requestId: request.id,
    target,
    stopping,
    takeTurn: inTurn,
    refuse,
    caller: () => checked(app.authorizeAgain),
    failureOf: (error) => app.failureOf(error, request.id),
    explain: app.explain,
  })

  /** A caller above its rate is not refused: its messages wait. */
  const callerAtItsRate = async (): Promise<Caller> => {
    for (;;) {
      try {
        return await checked(app.authorize)
      } catch (error) {
        const failure = app.explain(error)
        if (!passesByItself(failure.errorName) || socket.readyState !== socket.OPEN) throw failure
        await sleep(1_000)
      }
    }
  }

  const answerInTurn = async (data: RawData, caller: Caller): Promise<'answered' | 'full'> =>
    inTurn(async () => {
      // Other connections of the caller had their turns meanwhile, and nothing waits for a client in a turn.
      if (outbox.isFull()) return 'full'
      if (socket.readyState !== socket.OPEN) return 'answered'
      const message = readMessage(textOf(data))
      if (message instanceof ServiceError) {
        app.failureOf(message, request.id)
        end(closeCodes.invalidPayload, 'Send {"id": "...", "requests": [...]} as JSON.')
      } else await list.replace(message, caller)
      return 'answered'
    })

  const answer = async (data: RawData): Promise<void> => {
    const caller = await callerAtItsRate()
    do await outbox.hasRoom()
    while ((await answerInTurn(data, caller)) === 'full')
  }

  let isAnswering = false
  const answerAll = async (): Promise<void> => {
    isAnswering = true
    // Bytes that were not read yet stay with the client.
    socket.pause()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await answer(next.data).finally(() => inbox.answered(next.bytes))
      await sleep(paceMs)
    }
    socket.resume()
    isAnswering = false
  }
  const fail = (error: unknown): void => {
    const { status } = app.failureOf(error, request.id)
    if (status < 500) refuse()
    else end(closeCodes.failed)
  }

  // Before a message is made of it.
  connection.prependListener('data', (chunk: Buffer) => {
    inbox.arrived(chunk.length)
    if (!inbox.isFull() || socket.readyState !== socket.OPEN) return
    drop()
    socket.close(closeCodes.refused, tooMuch)
    // Later messages of the client are not read.
    socket.pause()
    setTimeout(() => socket.terminate(), goodbyeMs).unref()
  })
  socket.on('message', (data: RawData, isBinary: boolean) => {
    heardAt = elapsed()
    const bytes = inbox.message()
    if (socket.readyState !== socket.OPEN) inbox.answered(bytes)
    else if (isBinary) end(closeCodes.unsupportedData, 'Send text.')
    else if (waiting.length >= limits.subscription.unanswered) end(closeCodes.refused, tooMuch)
    else {
      waiting.push({ data, bytes })
      if (!isAnswering) answerAll().catch(fail)
    }
  })
  socket.on('ping', inbox.control)
  socket.on('pong', (data: Buffer) => {
    heardAt = elapsed()
    inbox.control(data)
  })
  // What is wrong with a message, such as its size, closes the connection by itself.
  socket.on('error', () => {})
  socket.on('close', () => {
    inbox.end()
    waiting.length = 0
    list.end()
    outbox.end()
  })
  return {
    heardAt: () => heardAt,
    checkedAt: () => checkedAt,
    stuckSince: outbox.stuckSince,
    ping: () => socket.ping(),
    check: () => {
      checked(app.authorizeAgain).catch((error: unknown) => {
        if (!passesByItself(app.explain(error).errorName)) refuse()
      })
    },
    terminate: () => socket.terminate(),
  }
}

function readMessage(text: string) {
  try {
    return receivedMessage(text)
  } catch (error) {
    if (error instanceof ServiceError) return error
    return new ServiceError('Conjure:UnprocessableEntity', { path: '', problem: 'it is not JSON' })
  }
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)).toString()
