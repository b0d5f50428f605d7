// Serves the document and its readable form. Neither needs authentication: they contain nothing that is not in the source.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { mediaTypes } from '@octavo/protocol'
import type { DescribedRoute } from './described-routes.ts'
import { openApiDocument } from './openapi-document.ts'
import { referenceLook } from './reference-look.ts'

/** Must be registered after the routes that it describes. */
export const referenceRoutes =
  (described: readonly DescribedRoute[]): FastifyPluginAsyncTypebox =>
  async (app) => {
    const text = JSON.stringify(openApiDocument(described))
    app.get('/openapi.json', (_, reply) => reply.type(`${mediaTypes.json}; charset=utf-8`).send(text))
    // All files of the page are part of the package, so it works without internet access.
    await app.register(swagger, { mode: 'static', specification: { document: JSON.parse(text) } })
    await app.register(swaggerUi, { routePrefix: '/docs', ...referenceLook })
  }
