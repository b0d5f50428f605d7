import { fastify } from 'fastify'
import { describeRoutes, type DescribedRoute } from '../../src/http/openapi/described-routes.ts'
import { serviceRoutes, type RouteNeeds } from '../../src/http/routes/service-routes.ts'

/** Every endpoint of the service as it describes itself; none is called. */
export async function describedServiceRoutes(): Promise<readonly DescribedRoute[]> {
  const needs: RouteNeeds = JSON.parse('{ "pages": { "store": {} }, "manage": { "store": {} } }')
  const app = fastify()
  const routes = describeRoutes(app)
  for (const route of serviceRoutes(needs)) app.register(route)
  await app.ready()
  await app.close()
  return routes
}
