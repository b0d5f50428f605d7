// Subscriptions to object sets, over a web socket. They are hints: what is promised is the feed of changes.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { limits, streamMessageSchema } from '@octavo/protocol'
import type { FastifyRequest } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import { ServiceError } from '../../base/errors/service-error.ts'
import { findOntology } from '../../catalog/find-object-type.ts'
import { callerTurns } from '../subscribe/in-turn.ts'
import { refuseUnknownV2 } from '../object-set/parse-v2-request.ts'
import type { QueryParameters } from '../../read/request/query-parameters.ts'
import type { SubscriptionService } from '../subscribe/socket-quotas.ts'
import { stoppingOf } from '../../http/abort-signal.ts'
import { describedAs } from '../../http/openapi/described-as.ts'
import { pathOf } from '../../http/path-parameters.ts'
import { callerOf } from '../../http/require-right.ts'
import { lookAfterAll } from '../socket/look-after.ts'
import { closeCodes, serveSocket } from '../socket/serve-socket.ts'
import { acceptSockets, bearerProtocol, upgradeOf, type Upgrade } from '../../http/upgrades.ts'

const socketPath = '/api/v2/ontologySubscriptions/'

/** How long a client may take to say goodbye when the instance stops. */
const goodbyeMs = 1_000

const elapsed = (): number => performance.now()

interface Opened {
  readonly request: FastifyRequest
  readonly ontology: string
  /** What carries the web socket. */
  readonly connection: Upgrade['socket']
}

export const subscriptionRoute =
  (service: SubscriptionService): FastifyPluginAsyncTypebox =>
  async (app) => {
    acceptSockets(app.server, socketPath)
    const stopping = stoppingOf(app)
    const open = new Set<WebSocket>()
    const lookAfter = lookAfterAll(elapsed)
    const takeTurn = callerTurns()
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: limits.subscription.messageBytes,
      perMessageDeflate: false,
      handleProtocols: (offered) => bearerProtocol(offered) ?? false,
    })
    stopping.addEventListener('abort', () => {
      for (const socket of open) {
        socket.close(closeCodes.goingAway, 'The instance stops. Connect again.')
        setTimeout(() => socket.terminate(), goodbyeMs).unref()
      }
    })

    const serve = (socket: WebSocket, { request, ontology, connection }: Opened): void => {
      const { subject } = callerOf(request)
      const began = elapsed()
      const target = { kind: 'ontology', ontology } as const
      const leave = lookAfter(
        serveSocket(service, socket, { app, request, target, stopping, elapsed, takeTurn, connection }),
      )
      open.add(socket)
      service.observe({ kind: 'socket-opened', requestId: request.id, subject })
      socket.on('close', (code) => {
        open.delete(socket)
        leave()
        const seconds = (elapsed() - began) / 1_000
        service.observe({ kind: 'socket-closed', requestId: request.id, subject, code, seconds })
      })
      if (stopping.aborted) socket.close(closeCodes.goingAway)
    }

    app.get<{ Params: { ontology: string }; Querystring: QueryParameters }>(
      `${socketPath}ontologies/:ontology/streamSubscriptions`,
      describedAs({
        operationId: 'subscribeToObjectSetsV2',
        summary: 'Get messages when objects of object sets change, over a web socket.',
        details:
          'A web socket (RFC 6455). The token is sent as `Sec-WebSocket-Protocol: Bearer-<token>`, which is repeated. Each message of ' +
          'the client is the whole list of object sets that it follows; the shape below is that of the messages of the service. ' +
          'A message is a hint that something has changed. A client that must not miss a change reads the changes since a snapshot token.',
        tag: 'Revision v2',
        right: 'read',
        ...pathOf(':ontology'),
        answer: streamMessageSchema,
        errors: ['OntologyNotFound'],
      }),
      async (request, reply) => {
        const { ontology } = request.params
        refuseUnknownV2(request.query, [])
        const caller = callerOf(request)
        await findOntology(service, caller, { kind: 'ontology', ontology })
        const { socket, head } = requireHandshake(request)
        const giveBack = service.sockets.takeSocket(caller.subject)
        socket.once('close', giveBack)
        reply.hijack()
        reply.raw.detachSocket(socket)
        if (socket.destroyed) giveBack()
        else
          server.handleUpgrade(request.raw, socket, head, (opened) =>
            serve(opened, { request, ontology, connection: socket }),
          )
      },
    )
  }

const handshake = [
  { name: 'sec-websocket-key', form: /^[+/0-9A-Za-z]{22}==$/, expected: '16 random bytes in base64' },
  { name: 'sec-websocket-version', form: /^13$/, expected: '13' },
] as const

/** RFC 6455, section 4.2.1. */
function requireHandshake({ raw }: FastifyRequest): Upgrade {
  const upgrade = upgradeOf(raw)
  if (upgrade === undefined) {
    throw new ServiceError('InvalidParameterValue', {
      parameterId: 'Upgrade',
      parameterValue: raw.headers.upgrade ?? '',
      expected: 'the value websocket: subscriptions need a web socket',
    })
  }
  for (const { name, form, expected } of handshake) {
    const value = raw.headers[name] ?? ''
    if (form.test(value)) continue
    throw new ServiceError('InvalidParameterValue', { parameterId: name, parameterValue: value, expected })
  }
  return upgrade
}
