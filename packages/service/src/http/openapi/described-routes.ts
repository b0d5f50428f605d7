import type { RouteOptions } from 'fastify'
import type { RouteDescription } from './described-as.ts'

export interface DescribedRoute {
  readonly method: string
  readonly url: string
  readonly description: RouteDescription
}

interface RoutesComing {
  readonly addHook: (name: 'onRoute', hook: (route: RouteOptions) => void) => unknown
}

/** Collects the described routes that are registered from now on, in order; the list is complete once all are registered. */
export function describeRoutes(app: RoutesComing): readonly DescribedRoute[] {
  const described: DescribedRoute[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    const description = config?.described
    // Every GET also registers a HEAD, which adds nothing.
    if (description === undefined || description.isOtherProtocol || method === 'HEAD') return
    described.push({ method: String(method).toLowerCase(), url, description })
  })
  return described
}
