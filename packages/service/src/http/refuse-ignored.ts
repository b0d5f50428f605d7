// Refuses what a request says and its endpoint does not look at: a body, or a precondition of a write. What is ignored today could
// never get a meaning later.
import { headers } from '@octavo/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../base/errors/service-error.ts'
import type { RouteDescription } from './openapi/described-as.ts'

/** After the caller is known, and before the body is read. */
export function refuseIgnored(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { described } = request.routeOptions.config
    const isOurs = described !== undefined && described.right !== 'public' && !described.isOtherProtocol
    const refusal = isOurs
      ? (unexpectedBody(request, described) ?? ignoredPrecondition(request, described))
      : undefined
    done(refusal ?? null, payload)
  })
}

function unexpectedBody(
  { raw }: FastifyRequest,
  { body, query, tag }: RouteDescription,
): ServiceError | undefined {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
  // The clients of revision v2 send one with every request.
  if (body !== undefined || tag === 'Revision v2') return undefined
  if (length === '0' && encoding === undefined) return undefined
  return new ServiceError('UnknownParameter', {
    unknownParameters: ['body'],
    expectedParameters: Object.keys(query?.properties ?? {}),
    unexpectedBody: true,
  })
}

const preconditions = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'] as const

function ignoredPrecondition(
  { method, headers: sent }: FastifyRequest,
  { right, hasPrecondition }: RouteDescription,
): ServiceError | undefined {
  if (right === 'read' || method === 'GET' || method === 'HEAD') return undefined
  const honoured: readonly string[] = hasPrecondition ? [headers.ifMatch, headers.ifNoneMatch] : []
  const ignored = preconditions.find((name) => {
    const header = name.toLowerCase()
    return sent[header] !== undefined && !honoured.includes(header)
  })
  return (
    ignored &&
    new ServiceError('InvalidParameterValue', {
      parameterId: ignored,
      parameterValue: [sent[ignored.toLowerCase()]].flat().join(', ').slice(0, 255),
      expected: 'no value: this endpoint does not look at the header, so leave it out',
    })
  )
}
