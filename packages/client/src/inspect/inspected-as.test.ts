import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { failureOf, numberedPages, scriptedServer } from '../../test/support/scripted-server.ts'

it('console.log of a client shows where it goes, and never its token', async () => {
  const { client, url } = await scriptedServer(numberedPages(1))
  expect(inspect(client())).toBe(
    `Client {\n  url: '${url}',\n  token: 'not shown',\n  retries: 8,\n  timeoutSeconds: 60\n}`,
  )
  const lazy = client({ token: () => 'secret-token' })
  expect(inspect(lazy)).toContain("token: 'from a function'")
  const all = inspect([client(), lazy, { client: client() }], { depth: Infinity, showHidden: true })
  expect(all).not.toContain('secret-token')
})

it('console.log of a walk shows how far it is', async () => {
  const { client } = await scriptedServer(numberedPages(2))
  const objects = client().family('library').objects('employee')
  expect(inspect(objects)).toBe("Objects { path: '/api/library/v1/objects/types/employee' }")
  const walk = objects.all({ snapshot: true })
  const facts = (objectsRead: number, ended: boolean) =>
    `Walk {
  path: '/api/library/v1/objects/types/employee/search',
  snapshot: true,
  objects: ${objectsRead},
  ended: ${ended},
  restarts: 0
}`
  expect(inspect(walk)).toBe(facts(0, false))
  let read = 0
  for await (const _ of walk) {
    read += 1
    expect(inspect(walk)).toBe(facts(read, read === 4))
  }
  expect(inspect(walk, { showHidden: true, depth: Infinity })).not.toContain('secret-token')
})

it('console.log of an error shows what the service said, and nothing that it did not say', async () => {
  const { client } = await scriptedServer(() => ({
    status: 404,
    body: {
      errorName: 'ObjectTypeNotFound',
      errorCode: 'NOT_FOUND',
      errorInstanceId: 'id-1',
      errorDescription: 'Check the name.',
      parameters: { objectType: 'employee' },
    },
  }))
  const shown = inspect(await failureOf(client().family('library').objects('employee').firstPage()))
  expect(shown).toMatch(/^OctavoError: ObjectTypeNotFound: Check the name\.\n    at /)
  expect(shown).toMatch(/errorInstanceId: 'id-1'/)
  expect(shown).not.toContain('secret-token')
  const broken = await scriptedServer(() => ({ instead: (reply) => reply.destroy() }))
  const lost = inspect(await failureOf(broken.client({ retries: 0 }).ontologies().firstPage()))
  expect(lost).toContain('OctavoError: NetworkFailure')
  expect(lost).not.toMatch(/undefined|secret-token/)
})
