// Sign-in of the official clients (P385): the endpoints that they expect, in front of the identity provider of the deployment.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { describedAs } from '../../http/openapi/described-as.ts'
import type { ProviderAnswer } from './ask-provider.ts'
import { leaveToProvider, returnToApp, type Query } from './leave-and-return.ts'
import { signInPath, type SignIn } from './sign-in.ts'
import { isWrongGuess, refusalIn, tokensIn } from './token-answer.ts'
import {
  isOauthError,
  revocationForm,
  tokenForm,
  type OauthError,
  type ProviderFields,
} from './token-request.ts'

const formType = 'application/x-www-form-urlencoded'
const mostFormBytes = 32_768

export const signInRoutes =
  (signIn: SignIn): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addContentTypeParser<string>(
      formType,
      { parseAs: 'string', bodyLimit: mostFormBytes },
      async (_: FastifyRequest, body: string) => new URLSearchParams(body),
    )
    const route = (operationId: string, summary: string) => ({
      ...describedAs({
        operationId,
        summary,
        tag: 'Revision v2',
        right: 'public',
        answer: Type.Unknown(),
        errors: [],
        hasSecret: true,
        // OAuth 2.0: the clients know it, and its errors have a shape of their own.
        isOtherProtocol: true,
      }),
      onRequest: async (request: FastifyRequest) => signIn.takeShare(signIn.networkOf(request)),
    })

    app.get<{ Querystring: Query }>(
      `${signInPath}/authorize`,
      route('beginSignIn', 'Sign in at the identity provider.'),
      async (request, reply) => reply.redirect(await leaveToProvider(signIn, request.query)),
    )
    app.get<{ Querystring: Query }>(
      `${signInPath}/callback`,
      route('endSignIn', 'Return to the app from the identity provider.'),
      async (request, reply) => reply.redirect(returnToApp(signIn, request.query)),
    )
    app.post(
      `${signInPath}/token`,
      route('giveTokens', 'Get or renew tokens of the identity provider.'),
      async (request, reply) => {
        const form = tokenForm(signIn, formOf(request))
        if (isOauthError(form)) return refuse(reply, form)
        const { token } = await signIn.endpoints()
        const answer = await askFor(signIn, request, token, form)
        const tokens = refusalIn(answer) ?? tokensIn(answer, signIn.now())
        return 'error' in tokens ? refuse(reply, tokens) : reply.send(tokens)
      },
    )
    app.post(
      `${signInPath}/revoke_token`,
      route('revokeToken', 'Revoke a token at the identity provider.'),
      async (request, reply) => {
        const form = revocationForm(formOf(request))
        if (isOauthError(form)) return refuse(reply, form)
        const { revocation } = await signIn.endpoints()
        if (revocation === undefined) return refuse(reply, nothingIsRevoked)
        const refusal = refusalIn(await askFor(signIn, request, revocation, form))
        return refusal === undefined ? reply.code(200).send() : refuse(reply, refusal)
      },
    )
  }

const nothingIsRevoked: OauthError = {
  status: 400,
  error: 'unsupported_token_type',
  error_description: 'The identity provider revokes no tokens: they end by themselves.',
}

async function askFor(
  signIn: SignIn,
  request: FastifyRequest,
  address: string,
  form: ProviderFields,
): Promise<ProviderAnswer> {
  const network = signIn.networkOf(request)
  await signIn.guesses.beforeTry(network)
  const answer = await signIn.ask({ address, form, authorization: basicOf(request) })
  const refusal = refusalIn(answer)
  if (refusal !== undefined && isWrongGuess(refusal)) signIn.guesses.hasFailed(network)
  return answer
}

/** A request without a body has no form either. */
const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

/** Only what a client of OAuth signs in with: a token of a caller never leaves the service. */
const basicOf = ({ headers: { authorization } }: FastifyRequest): string | undefined =>
  /^Basic /i.test(authorization ?? '') ? authorization : undefined

function refuse(reply: FastifyReply, { status, ...error }: OauthError): FastifyReply {
  // RFC 6749, section 5.2. Only to who has tried it: a browser would ask the person for a password.
  if (status === 401 && basicOf(reply.request) !== undefined) reply.header('www-authenticate', 'Basic')
  return reply.code(status).send(error)
}
