import { fastify } from 'fastify'
import { describedEndpoints } from '../../src/describe-service.ts'
import { describeRoutes, type DescribedRoute } from '../../src/http/openapi/described-as.ts'

/** Every endpoint of the service as it describes itself; none is called. */
export async function describedServiceRoutes(): Promise<readonly DescribedRoute[]> {
  const app = fastify()
  const routes = describeRoutes(app)
  for (const route of describedEndpoints()) app.register(route)
  await app.ready()
  await app.close()
  return routes
}
