import process from 'node:process'
import { expect, it } from 'vitest'
import { brokenServers } from '../test/support/broken-servers/all-broken-servers.ts'
import { judgeBrokenServer, revisionsOf } from '../test/support/judge-broken-server.ts'

/** With OCTAVO_MANY_GENERATED the whole kit judges every server, otherwise a fifth of them; the others only the cases of their clause. */
const isWhole = (index: number, objects = 0): boolean =>
  process.env['OCTAVO_MANY_GENERATED'] !== undefined || (index % 5 === 0 && objects <= 1_000)

it.for(
  brokenServers.flatMap((server, index) =>
    revisionsOf(server).map((revision) => ({
      ...server,
      revision,
      only: isWhole(index, server.objects) ? undefined : [server.clause],
    })),
  ),
)(
  '$name: the kit names $clause in revision $revision, and no other',
  async ({ revision, only, ...server }) => {
    const { problem } = await judgeBrokenServer(server, revision, only)
    expect(problem).toBeUndefined()
  },
)
