import { Type } from 'typebox'
import { expect, it } from 'vitest'
import type { Caller } from '../guard/auth/caller.ts'
import { describedEndpoints } from '../describe-service.ts'
import fastify from 'fastify'
import type { PageService } from '../read/walk/page-service.ts'
import { httpServerOf } from '../../test/support/http-server-of.ts'
import { describeRoutes } from './openapi/described-as.ts'
import { operation, operationRoutes, type OperationKind } from './operation.ts'
import { errorNamed } from '../../test/support/named-errors.ts'

const caller: Caller = { subject: 'ada', groups: [], rights: new Set(['read', 'write']), claims: {} }

/** A server of one operation for each kind, and what was done for its requests, in order. */
function serveKinds() {
  const done: string[] = []
  const admission = {
    refuseEarly: () => {},
    holdBody: () => ({ keep: () => {}, release: () => {} }),
    reserve: async () => {
      done.push('turn')
      return {
        keep: (bytes: number) => void done.push(`keep ${bytes}`),
        release: () => void done.push('release'),
      }
    },
    counts: () => ({ working: 0, waiting: 0, bytes: 0 }),
  }
  const of = (kind: OperationKind) =>
    operation(
      `GET /manage/v1/${kind}/:ontology`,
      {
        kind,
        operationId: kind,
        summary: 'x',

        right: 'read',
        query: Type.Object({ known: Type.Optional(Type.String()) }),
        answer: Type.Unknown(),
      },
      ({ target }) => {
        done.push('served')
        return target
      },
    )
  const app = httpServerOf({
    authenticate: async () => caller,
    routes: operationRoutes(
      // Nothing asks for a position of a source.
      { admission, requestTimeoutMs: 1_000, ...({} as Pick<PageService, 'store' | 'access' | 'sources'>) },
      (['page', 'read', 'write'] as const).map(of),
    ),
  })
  const ask = (path: string) => app.inject({ method: 'GET', url: path })
  return { ask, done, close: () => app.close() }
}

const target = JSON.stringify({ kind: 'ontology', ontology: 'o' })

it('P197: a read begins when its turn has come, and gives it back once it is answered', async () => {
  const { ask, done, close } = serveKinds()
  expect((await ask('/manage/v1/read/o?known=1')).body).toBe(target)
  await expect.poll(() => done).toEqual(['turn', 'served', `keep ${target.length}`, 'release'])
  await close()
})

it.each(['page', 'write'])(
  'a %s is not made to wait: it takes its turn itself, or needs none',
  async (kind) => {
    const { ask, done, close } = serveKinds()
    const answer = await ask(`/manage/v1/${kind}/o`)
    expect([answer.headers['content-type'], answer.body]).toEqual(['application/json; charset=utf-8', target])
    expect(done).toEqual(['served'])
    await close()
  },
)

it.each(['read', 'write'])(
  'P27: a %s refuses parameters that it does not declare, before its turn',
  async (kind) => {
    const { ask, done, close } = serveKinds()
    const answer = await ask(`/manage/v1/${kind}/o?knwon=1`)
    expect(answer.json()).toMatchObject(
      errorNamed('UnknownParameter', { unknownParameters: ['knwon'], didYouMean: ['known'] }),
    )
    expect(done).toEqual([])
    await close()
  },
)

it('P197: no endpoint that only reads is a write', async () => {
  const described = fastify()
  const routes = describeRoutes(described)
  for (const route of describedEndpoints()) described.register(route)
  await described.ready()
  const writes = routes.filter(({ description }) => 'kind' in description && description.kind === 'write')
  expect(writes.length).toBeGreaterThan(10)
  expect(
    writes.filter(({ method, description }) => method === 'get' || description.right === 'read'),
  ).toEqual([])
  await described.close()
})
