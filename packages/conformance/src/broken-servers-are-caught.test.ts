import { expect, it } from 'vitest'
import { clauseEntries } from './clauses/clauses.ts'
import { brokenServers } from '../test/support/broken-servers/all-broken-servers.ts'
import { judgeBrokenServer, revisionsOf } from '../test/support/judge-broken-server.ts'

it('there are many broken servers, and each names a clause that exists', () => {
  expect(new Set(brokenServers.map(({ name }) => name)).size).toBeGreaterThanOrEqual(15)
  const clauses = brokenServers.flatMap(({ clause, also = [] }) => [clause, ...also])
  expect(clauses.filter((clause) => !clauseEntries.has(clause))).toEqual([])
})

// Runs only the cases of the server's clause: `npm run prove:client` runs the whole kit, and shows that it names no other
// clause.
it.for(brokenServers.flatMap((server) => revisionsOf(server).map((tried) => ({ ...server, tried }))))(
  '$name: the kit names $clause in revision $tried',
  async ({ tried, ...server }) => {
    const { problem } = await judgeBrokenServer(server, tried, [server.clause])
    expect(problem).toBeUndefined()
  },
)
