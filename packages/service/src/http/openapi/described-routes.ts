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

/** The described routes of those that are registered from now on, in their order; complete once all are. */
export function describeRoutes(app: RoutesComing): readonly DescribedRoute[] {
  const described: DescribedRoute[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    const description = config?.described
    // A HEAD comes with every GET and says nothing new.
    if (description === undefined || method === 'HEAD') return
    described.push({ method: String(method).toLowerCase(), url, description })
  })
  return described
}
