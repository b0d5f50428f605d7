import { readFileSync } from 'node:fs'
import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui'

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

export const referenceLook: FastifySwaggerUiOptions = {
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
