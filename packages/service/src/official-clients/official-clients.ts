// What the official clients of the API family need besides revisions 1.0 and 2.0: revision v2, subscriptions and their sign-in.
import { operationRoutes } from '../http/operation.ts'
import type { OpenWing } from '../http/wing.ts'
import { objectSetOperations } from './routes/object-set-routes.ts'
import { objectV2Operations } from './routes/object-v2-routes.ts'
import { ontologyV2Operations } from './routes/ontology-v2-routes.ts'
import { subscriptionRoute } from './routes/subscription-route.ts'
import { openSignIn } from './sign-in/sign-in.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { socketQuotas } from './subscribe/socket-quotas.ts'

export const officialClients: OpenWing = (options, { pages, ...sources }) => {
  if (options.officialClients === 'false') return { routes: [] }
  const signIn = openSignIn(options, sources)
  const sockets = socketQuotas()
  return {
    routes: [
      ...operationRoutes(pages, [
        ...objectSetOperations(pages),
        ...objectV2Operations(pages),
        ...ontologyV2Operations(pages),
      ]),
      ...(options.subscriptions === 'true' ? [subscriptionRoute({ ...pages, sockets })] : []),
      ...(signIn === undefined ? [] : [signInRoutes(signIn)]),
    ],
    subscribed: sockets.counts,
  }
}
