// The root of the service: a page for people, the same links as JSON for programs. Neither needs a token, so they say only what
// the public endpoints say.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { mediaTypes } from '@octavo/protocol'
import type { CheckReadiness } from '../health/check-readiness.ts'
import { packageVersion } from '../../base/package/package-version.ts'
import { homeLinks, homePage, homeStyle } from './home-page.ts'

const contentRules =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const homeRoutes =
  (checkReadiness: CheckReadiness): FastifyPluginAsyncTypebox =>
  async (app) => {
    const version = packageVersion()
    app.get('/home.css', (_, reply) => reply.type('text/css; charset=utf-8').send(homeStyle))
    app.get('/', async (request, reply) => {
      const isReady = (await checkReadiness()).length === 0
      reply.headers({ vary: 'accept, origin', 'cache-control': 'no-store' })
      if (!prefersPage(request)) {
        const facts = { service: 'Octavo', version, status: isReady ? 'ready' : 'unready', links: homeLinks }
        return reply.type(`${mediaTypes.json}; charset=utf-8`).send(JSON.stringify(facts))
      }
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', contentRules)
        .send(homePage({ version, isReady, url: urlOf(request) }))
    })
  }

/** Browsers name text/html; curl and clients accept anything. */
const prefersPage = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/i.test(headers.accept ?? '')

/** Only shown, never followed: behind a proxy, it is what the proxy tells. */
const urlOf = ({ headers, protocol, host }: FastifyRequest): string =>
  `${headers['x-forwarded-proto'] === 'https' ? 'https' : protocol}://${host}`
