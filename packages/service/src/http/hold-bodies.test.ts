import fastify from 'fastify'
import { expect, it } from 'vitest'
import { ServiceError } from '../base/errors/service-error.ts'
import { describedEndpoints } from '../describe-service.ts'
import { httpServerOf } from '../../test/support/http-server-of.ts'
import { describeRoutes } from './openapi/described-as.ts'

it('P165: of a body nothing is read on any endpoint of reading if its request would be refused its turn', async () => {
  const described = fastify()
  const routes = describeRoutes(described)
  for (const route of describedEndpoints()) described.register(route)
  await described.ready()
  const app = httpServerOf({
    authenticate: async () => ({ subject: 'ada', groups: [], rights: new Set(['read']), claims: {} }),
    admission: {
      refuseEarly: () => {
        throw new ServiceError('Overloaded', { retryAfterSeconds: 1 })
      },
      holdBody: () => ({ keep: () => {}, release: () => {} }),
    },
    routes: describedEndpoints(),
  })
  const reading = routes.filter(({ description: { right, body } }) => right === 'read' && body !== undefined)
  expect(reading.length).toBeGreaterThan(5)
  for (const { url } of reading) {
    // A body that was read would be refused as malformed.
    const answer = await app.inject({
      method: 'POST',
      url: url.replaceAll(/:\w+/g, 'x'),
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    expect([url, answer.statusCode]).toEqual([url, 503])
  }
  await app.close()
  await described.close()
})
