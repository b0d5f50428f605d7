import { Type } from 'typebox'
import { expect, it } from 'vitest'
import type { Caller } from '../guard/auth/caller.ts'
import { nobodyComesIn } from '../../test/support/public-route.ts'
import { createHttpServer } from './create-http-server.ts'
import { describedAs } from './openapi/described-as.ts'

const parts = { corsOrigins: [], observe: () => {}, explainFailure: () => undefined }

it('P116: an endpoint that does not say what it needs is not served at all', async () => {
  const app = createHttpServer({
    ...parts,
    authenticate: nobodyComesIn,
    routes: [
      async (app) => {
        app.get('/open-to-everybody', () => 'by mistake')
      },
    ],
  })
  await expect(app.ready()).rejects.toThrow('route-without-a-description')
})

it.for(['GET', 'HEAD'] as const)(
  'P116, P117: a %s is authenticated once, before its body is read',
  async (method) => {
    let asked = 0
    const caller: Caller = { subject: 'somebody', groups: [], rights: new Set(['write']), claims: {} }
    const described = (operationId: string, right: 'read' | 'write') =>
      describedAs({ operationId, summary: 'x', tag: 'Health', right, answer: Type.Unknown(), errors: [] })
    const app = createHttpServer({
      ...parts,
      authenticate: async () => {
        asked += 1
        return caller
      },
      routes: [
        async (app) => {
          app.get('/write', described('a', 'write'), () => 'x')
          app.get('/read', described('b', 'read'), () => 'x')
        },
      ],
    })
    expect((await app.inject({ method, url: '/write' })).statusCode).toBe(200)
    expect((await app.inject({ method, url: '/read' })).statusCode).toBe(403)
    expect(asked).toBe(2)
  },
)
