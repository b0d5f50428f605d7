// The root of the service: a page for people, the same links as JSON for programs. Neither needs a token, so they say only what
// the public endpoints say.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mediaTypes } from '@octavo/protocol'
import type { CheckReadiness } from '../health/check-readiness.ts'
import type { Explorer } from '../explorer/explorer-files.ts'
import { sendExplorerPage } from '../explorer/explorer-routes.ts'
import { packageVersion } from '../../base/package/package-version.ts'
import { homeLinks, homePage, homeStyle } from './home-page.ts'

const contentRules =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const homeRoutes =
  (checkReadiness: CheckReadiness, explorer?: Explorer): FastifyPluginAsyncTypebox =>
  async (app) => {
    const version = packageVersion()
    const sendPage = (request: FastifyRequest, reply: FastifyReply, isReady: boolean) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': contentRules, 'cache-control': 'no-store' })
        .send(homePage({ version, isReady, url: urlOf(request), hasExplorer: explorer !== undefined }))
    const isReady = async () => (await checkReadiness()).length === 0
    app.get('/home.css', (_, reply) => reply.type('text/css; charset=utf-8').send(homeStyle))
    // Where the explorer has the root, the page of the service is still here.
    app.get('/home', async (request, reply) => sendPage(request, reply, await isReady()))
    app.get('/', async (request, reply) => {
      reply.headers({ vary: 'accept, accept-encoding, origin', 'cache-control': 'no-store' })
      if (!prefersPage(request)) {
        const status = (await isReady()) ? 'ready' : 'unready'
        const facts = { service: 'Octavo', version, status, links: homeLinks }
        return reply.type(`${mediaTypes.json}; charset=utf-8`).send(JSON.stringify(facts))
      }
      if (explorer !== undefined) return sendExplorerPage(reply, explorer)
      return sendPage(request, reply, await isReady())
    })
  }

/** Browsers name text/html; curl and clients accept anything. */
const prefersPage = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/i.test(headers.accept ?? '')

/** Only shown, never followed: behind a proxy, it is what the proxy tells. */
const urlOf = ({ headers, protocol, host }: FastifyRequest): string =>
  `${headers['x-forwarded-proto'] === 'https' ? 'https' : protocol}://${host}`
