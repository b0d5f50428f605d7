import { fileURLToPath } from 'node:url'
import type { Proof } from '../harness/prove.ts'
import { octavoContestants, startPeers } from './contestants.ts'
import { judgeTallies } from './judge-tallies.ts'
import { describeTally, tallyOf } from './lost-tally.ts'
import { openTwoStores } from './two-stores.ts'
import { walkTogether, type JudgedWalk } from './walk-together.ts'
import { writerOf } from './writer.ts'
import { describeMachine } from '../harness/machine.ts'
import { writeLostReport } from './write-lost-report.ts'
import { installPeers } from '../harness/peers/start-peer.ts'

const objects = 400
const pageSize = 50

export async function proveWhatIsLost(proof: Proof): Promise<void> {
  const { short, say, given } = proof
  const walks = Number(given['walks'] ?? (short ? 40 : 1_000))
  if (!Number.isInteger(walks) || walks < 1) throw new Error('--walks takes a whole number above zero.')
  if (!short) await installPeers(say)
  const stores = await openTwoStores()
  const ends = [stores.end]
  try {
    const peers = await startPeers(stores.cluster.url, { withPostgraphile: !short })
    ends.unshift(peers.stop)
    const writer = writerOf(stores, objects)
    await writer.fill()
    const contestants = [...peers.contestants, ...octavoContestants(stores)]
    const quiet = { contestants, pageSize, writer, withCommits: false }
    const before = await walkTogether(quiet)
    const judged: JudgedWalk[] = []
    for (let round = 1; round <= walks; round += 1) {
      judged.push(...(await walkTogether({ ...quiet, withCommits: true })))
      if (round % 100 === 0) say(`${round} walks of each contestant in each order`)
    }
    const tallies = tallyOf(judged)
    for (const tally of tallies) say(describeTally(tally))
    const after = await walkTogether(quiet)
    await judgeTallies(proof, { tallies, quiet: [...before, ...after] })
    if (short) return
    const machine = await describeMachine(stores.store.database)
    const out =
      typeof given['out'] === 'string'
        ? given['out']
        : fileURLToPath(new URL('../../docs/reference', import.meta.url))
    await writeLostReport(out, { date: new Date(), machine, objects, pageSize, tallies })
    say(`written to ${out}`)
  } finally {
    for (const end of ends) await end()
  }
}
