import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@fastify/type-provider-typebox'
import type { CheckReadiness } from './check-readiness.ts'

const Live = Type.Object({ status: Type.Literal('live') })
const Ready = Type.Object({ status: Type.Literal('ready') })
const Unready = Type.Object({
  status: Type.Literal('unready'),
  reasons: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
})

/** Live: the process answers. Ready: it can serve pages, so a load balancer may send it some. */
export const healthRoutes =
  (checkReadiness: CheckReadiness): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/health/live', { schema: { response: { 200: Live } } }, () => ({ status: 'live' as const }))

    app.get('/health/ready', { schema: { response: { 200: Ready, 503: Unready } } }, async (_, reply) => {
      const reasons = await checkReadiness()
      return reasons.length === 0
        ? { status: 'ready' as const }
        : reply.code(503).send({ status: 'unready', reasons: [...reasons] })
    })
  }
