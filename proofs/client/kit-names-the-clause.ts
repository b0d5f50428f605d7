// Servers that each have one bug of real products: the kit must name the clause, and none that the bug does not break.
import { clauseCoverage, triedClauses } from '../../packages/conformance/test/support/clause-coverage.ts'
import { runOnModel } from '../../packages/conformance/test/support/run-on-model.ts'
import { brokenServers } from '../../packages/conformance/test/support/broken-servers/all-broken-servers.ts'
import {
  judgeBrokenServer,
  revisionsOf,
} from '../../packages/conformance/test/support/judge-broken-server.ts'
import { brokenClauses, tallyOf } from '@octavo/conformance'
import { expect, type Proof } from '../harness/prove.ts'

export async function proveKitNamesTheClause(proof: Proof): Promise<void> {
  await proof.point('Every clause about paging has a case', async () => {
    const { ofPaging, untried } = clauseCoverage()
    expect(untried.length === 0, `no case tries ${untried.join(', ')}`)
    const tried = ofPaging.filter((clause) => triedClauses.has(clause)).length
    return `${tried} of ${ofPaging.length} clauses tried, ${ofPaging.length - tried} cannot be seen from outside`
  })

  await proof.point(
    'The kit demands no more than the contract: a server that does just that passes',
    async () => {
      const sums: string[] = []
      for (const revision of ['1.0', '2.0', 'v2'] as const) {
        const report = await runOnModel(revision)
        expect(
          brokenClauses(report).length === 0,
          `revision ${revision}: ${brokenClauses(report).join(', ')}`,
        )
        sums.push(`revision ${revision}: ${tallyOf(report).passed} passed`)
      }
      return sums.join('; ')
    },
  )

  await proof.point('For every broken server the kit names the right clause, and no other', async () => {
    let judged = 0
    const problems: string[] = []
    for (const [index, server] of brokenServers.entries()) {
      // The short form shows of a fifth that the kit names no other clause, and not of large servers.
      const isWhole = !proof.short || (index % 5 === 0 && (server.objects ?? 0) <= 1_000)
      for (const revision of revisionsOf(server)) {
        const only = isWhole ? undefined : [server.clause]
        const { named, problem } = await judgeBrokenServer(server, revision, only)
        proof.say(`${server.name}, revision ${revision}: ${named.join(', ')}`)
        if (problem !== undefined) problems.push(problem)
        judged += 1
      }
    }
    expect(problems.length === 0, problems.join('; '))
    return `${brokenServers.length} broken servers, judged ${judged} times, the clause named each time`
  })
}
