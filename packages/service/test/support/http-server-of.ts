import { createHttpServer, type HttpServerOptions } from '../../src/http/create-http-server.ts'
import { nobodyComesIn } from './public-route.ts'

/** A server without routes, to which nobody comes and which nobody watches; or with what a test is about. */
export const httpServerOf = (parts: Partial<HttpServerOptions>) =>
  createHttpServer({
    corsOrigins: [],
    authenticate: nobodyComesIn,
    observe: () => {},
    explainFailure: () => undefined,
    routes: [],
    ...parts,
  })
