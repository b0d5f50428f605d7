// The page that comes with the service. It needs no token: it holds nothing that is not in the source, and reads objects
// through the same endpoints as everybody.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { headers, mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../base/errors/service-error.ts'
import { acceptedCoding } from '../compression/accepted-coding.ts'
import type { Explorer, ExplorerFile, ExplorerSignIn } from './explorer-files.ts'

/** The identity provider is the only other place that the page may talk to. */
const pageRules = (signIn: ExplorerSignIn | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${signIn === undefined ? '' : ` ${new URL(signIn.issuer).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * Browsers apply the rules of a script to the worker that runs it. The worker hashes what it reads with WebAssembly, which the
 * page itself may not run.
 */
const scriptRules = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

const oneYear = 31_536_000

export function sendExplorerPage(reply: FastifyReply, { files, signIn }: Explorer): FastifyReply {
  reply.headers({
    'content-security-policy': pageRules(signIn),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  })
  return sendFile(reply, files.page)
}

export const explorerRoutes =
  (explorer: Explorer): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { issuer, clientId, scopes, audience } = explorer.signIn ?? {}
    const signIn = JSON.stringify(
      explorer.signIn === undefined ? {} : { oidc: { issuer, clientId, scopes, audience } },
    )
    app.get('/explorer/sign-in.json', (_, reply) =>
      reply.header('cache-control', 'no-store').type(`${mediaTypes.json}; charset=utf-8`).send(signIn),
    )
    app.get<{ Params: { readonly name: string } }>('/explorer/assets/:name', (request, reply) => {
      const file = explorer.files.assets.get(request.params.name)
      if (file === undefined) throw new ServiceError('PathNotFound', {})
      reply.headers({
        'cache-control': `public, max-age=${oneYear}, immutable`,
        'content-security-policy': scriptRules,
        vary: headers.acceptEncoding,
      })
      return sendFile(reply, file)
    })
  }

function sendFile(reply: FastifyReply, file: ExplorerFile): FastifyReply {
  const coding = codingFor(reply.request)
  if (coding !== undefined) reply.header(headers.contentEncoding, coding)
  return reply.type(file.type).send(file[coding ?? 'plain'])
}

function codingFor({ headers: sent }: FastifyRequest): 'br' | 'gzip' | undefined {
  const { coding } = acceptedCoding(sent[headers.acceptEncoding], ['br', 'gzip'])
  return coding === 'br' || coding === 'gzip' ? coding : undefined
}
