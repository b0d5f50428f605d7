// Serves the document and its readable form. Neither needs authentication: they contain nothing that is not in the source.
import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { mediaTypes } from '@octavo/protocol'
import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui'
import type { DescribedRoute } from './described-as.ts'
import { openApiDocument } from './openapi-document.ts'

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

/** The path works in src and in dist. */
const script = readFileSync(new URL('../../../pages/reference.js', import.meta.url), 'utf8')

const css = `
body { background: #fcfcfa }
.swagger-ui .topbar { display: none }
.swagger-ui .info { margin: 32px 0 24px }
.swagger-ui .info .title { font-size: 40px; letter-spacing: -0.02em }
.swagger-ui .info .title small { top: -14px; background: #35506b }
.swagger-ui .info .title small.version-stamp { background: #35506b }
.swagger-ui .scheme-container { background: none; box-shadow: none; padding: 0 0 16px }
.swagger-ui .wrapper { max-width: 1100px }
.swagger-ui .opblock { box-shadow: none; border-radius: 6px }
.swagger-ui .opblock-tag { border-bottom-color: #ddd9cf }
`

const referenceLook: FastifySwaggerUiOptions = {
  theme: {
    title: 'Octavo',
    css: [{ filename: 'octavo.css', content: css }],
    js: [{ filename: 'reference.js', content: script }],
  },
  // The page fetches nothing from elsewhere. It sets inline styles on elements, so those cannot be forbidden.
  staticCSP: {
    'default-src': ["'none'"],
    'connect-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'", 'data:'],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  },
  uiConfig: {
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 4,
    displayRequestDuration: true,
    persistAuthorization: false,
    tryItOutEnabled: false,
  },
}
