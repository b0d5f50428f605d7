// `npm run prove:lost`: what a walk misses, repeats and tears while others write, with Octavo and with what a team would use
// instead. The short form has fewer walks, and leaves out PostGraphile, which would have to be installed.
import { fileURLToPath } from 'node:url'
import { prove } from '../tools/prove.ts'
import { octavoContestants, startPeers } from './lost/contestants.ts'
import { judgeTallies } from './lost/judge-tallies.ts'
import { describeTally, tallyOf } from './lost/lost-tally.ts'
import { openTwoStores } from './lost/two-stores.ts'
import { walkTogether, type JudgedWalk } from './lost/walk-together.ts'
import { writerOf } from './lost/writer.ts'
import { describeMachine } from './measure/machine.ts'
import { writeLostReport } from './report/write-lost-report.ts'
import { installPeers } from './services/peer-process.ts'

const objects = 400
const pageSize = 50

const optionTable = { walks: { type: 'string' }, out: { type: 'string' } } as const

await prove(
  'lost',
  async (proof) => {
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
          : fileURLToPath(new URL('../docs/reference', import.meta.url))
      await writeLostReport(out, { date: new Date(), machine, objects, pageSize, tallies })
      say(`written to ${out}`)
    } finally {
      for (const end of ends) await end()
    }
  },
  optionTable,
)
