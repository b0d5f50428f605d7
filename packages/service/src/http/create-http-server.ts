import cors from '@fastify/cors'
import {
  TypeBoxValidatorCompiler,
  type FastifyPluginAsyncTypebox,
  type TypeBoxTypeProvider,
} from '@fastify/type-provider-typebox'
import { corsAllowedHeaders, corsExposedHeaders, limits } from '@octavo/protocol'
import { fastify } from 'fastify'
import { ServiceError } from '../errors/service-error.ts'
import type { Observe } from '../observe/observation.ts'
import { replyWithError } from './reply-with-error.ts'

type Parts = {
  readonly corsOrigins: readonly string[]
  readonly routes: readonly FastifyPluginAsyncTypebox[]
  readonly observe: Observe
}

export const createHttpServer = ({ corsOrigins, routes, observe }: Parts) => {
  const app = fastify({
    bodyLimit: limits.request.bodyBytes,
    // Primary keys stand in paths, and each byte of one may be written as three.
    routerOptions: { maxParamLength: 3 * limits.value.primaryKeyBytes },
    // While stopping, a connection that is still open gets its answer, not fastify's own 503 in another shape.
    return503OnClosing: false,
    frameworkErrors: (error, _, reply) => void replyWithError(reply, error, observe),
  })
    .setValidatorCompiler(TypeBoxValidatorCompiler)
    .withTypeProvider<TypeBoxTypeProvider>()

  app.setErrorHandler((error, _, reply) => replyWithError(reply, error, observe))
  app.setNotFoundHandler((_, reply) => replyWithError(reply, new ServiceError('PathNotFound', {}), observe))

  // A connection kept alive after its last answer would hold up the stop until it idles out.
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_, reply) => {
    if (closing) reply.header('connection', 'close')
  })

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    // Asked every few seconds by every load balancer; check-readiness.ts tells what changes.
    if (route.startsWith('/health/')) return
    observe({
      kind: 'request-served',
      method: request.method,
      route,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    })
  })

  if (corsOrigins.length > 0) {
    app.register(cors, {
      origin: [...corsOrigins],
      allowedHeaders: [...corsAllowedHeaders],
      exposedHeaders: [...corsExposedHeaders],
    })
  }
  for (const route of routes) app.register(route)
  return app
}
