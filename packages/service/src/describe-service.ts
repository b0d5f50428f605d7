import type { AuthenticateCaller } from './guard/auth/authenticate-caller.ts'
import { createHttpServer } from './http/create-http-server.ts'
import { serviceRoutes, type RouteNeeds } from './http/routes/service-routes.ts'

/** The text of /openapi.json, made without a database: the routes are registered, but none is called. */
export async function describeService(): Promise<string> {
  const app = createHttpServer({
    corsOrigins: [],
    authenticate: neverCalled(),
    routes: serviceRoutes(neverCalled()),
    observe: () => {},
    explainFailure: () => undefined,
  })
  const { body } = await app.inject('/openapi.json')
  await app.close()
  return body
}

/** An object that has every member, and throws as soon as one is used. */
function neverCalled(): RouteNeeds & AuthenticateCaller {
  const needs: ReturnType<typeof JSON.parse> = new Proxy(() => {}, {
    get: () => needs,
    apply: () => {
      throw new Error('A route was called while it was only to be described.')
    },
  })
  return needs
}
