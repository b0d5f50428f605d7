import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@fastify/type-provider-typebox'
import { describedAs } from '../openapi/described-as.ts'
import type { CheckReadiness } from './check-readiness.ts'

const Live = Type.Object({ status: Type.Literal('live') })
const Ready = Type.Object({ status: Type.Literal('ready') })
const Unready = Type.Object({
  status: Type.Literal('unready'),
  reasons: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
})

/** Live: the process answers. Ready: it can serve pages, so a load balancer may send it requests. */
export const healthRoutes =
  (checkReadiness: CheckReadiness): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/health/live',
      describedAs({
        operationId: 'checkLive',
        summary: 'Whether the process is alive.',
        tag: 'Health',
        answer: Live,
        right: 'public',
        errors: [],
      }),
      () => ({ status: 'live' }),
    )
    app.get(
      '/health/ready',
      describedAs({
        operationId: 'checkReady',
        summary: 'Whether the service can serve pages; load balancers use this.',
        tag: 'Health',
        answer: Ready,
        right: 'public',
        errors: [],
        otherAnswers: { 503: { description: 'Not ready, and why.', shape: Unready } },
      }),
      async (_, reply) => {
        const reasons = await checkReadiness()
        return reasons.length === 0
          ? { status: 'ready' }
          : reply.code(503).send({ status: 'unready', reasons })
      },
    )
  }
