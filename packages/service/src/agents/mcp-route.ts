// The tools of agents over the Model Context Protocol (P370). What they read, they read through the other endpoints.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { headers } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ServiceError } from '../base/errors/service-error.ts'
import { packageVersion } from '../base/package/package-version.ts'
import type { PageService } from '../read/walk/page-service.ts'
import { abortSignalOf } from '../http/abort-signal.ts'
import { describedAs } from '../http/openapi/described-as.ts'
import { callerOf } from '../http/require-right.ts'
import { askInside } from './ask-inside.ts'

const path = '/mcp'

export const mcpRoute =
  (service: PageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const version = packageVersion()
    app.post(
      path,
      describedAs({
        operationId: 'serveAgents',
        summary: 'Read objects with the tools of the Model Context Protocol.',
        tag: 'Revision 2.0',
        right: 'read',
        answer: Type.Unknown(),
        errors: [],
        isOtherProtocol: true,
      }),
      async (request, reply) => {
        refuseBatch(request.body)
        // Loaded only now: a service that no agent asks need not know their protocol.
        const { serveOverHttp } = await import('@octavo/agents')
        const answer = await serveOverHttp(
          {
            version,
            ask: askInside(app, request),
            sealer: service.sealer.places,
            caller: callerOf(request).subject,
            onFailure: (error) => void app.failureOf(error, request.id),
          },
          {
            url: `http://octavo${path}`,
            headers: headersOf(request),
            body: request.body,
            signal: abortSignalOf(reply),
          },
        )
        return passOn(reply, answer)
      },
    )
  }

/** Only one old version of their protocol allows several messages in one request, and they would all be asked at once. */
function refuseBatch(body: unknown): void {
  if (!Array.isArray(body)) return
  throw new ServiceError('Conjure:UnprocessableEntity', {
    path: '',
    problem: 'it has several messages: send one message in each request',
  })
}

const headersOf = ({ headers: sent }: FastifyRequest): Headers =>
  new Headers(
    Object.entries(sent).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
    ),
  )

async function passOn(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const type = answer.headers.get(headers.contentType)
  if (type !== null) reply.header(headers.contentType, type)
  // No answer of a tool is larger than a small page, so it need not be streamed.
  return reply.code(answer.status).send(await answer.text())
}
