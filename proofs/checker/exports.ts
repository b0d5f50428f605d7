// Checks from outside what `octavo export` says: exports are killed at random moments, continued, harmed by hand, begun side by side
// and written to a disk that fills up. Whenever one says that it has exported everything, its file is read and compared with what
// this program itself has written to the service. It uses nothing of the product but the command, the service and what the packages
// export.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Proof } from '../harness/prove.ts'
import { chances } from './chances.ts'
import { numberOf, seedOf } from './number-of.ts'
import { makeHistory } from './exports/history.ts'
import { playRound, type RoundTools } from './exports/play-round.ts'
import { startExported } from './exports/start-exported.ts'

export const checkExports = (proof: Proof): Promise<void> =>
  proof.point('An export that says it is whole is, however it was killed, harmed and resumed', async () => {
    const rounds = numberOf(proof, 'rounds', proof.short ? 12 : 60)
    const chance = chances(seedOf(proof))
    const folder = mkdtempSync(join(tmpdir(), 'octavo-exports-'))
    const exported = await startExported(folder)
    const problems: string[] = []
    let saidWhole = 0
    try {
      const history = await makeHistory(exported, chance)
      for (let round = 1; round <= rounds; round += 1) {
        const tools: RoundTools = {
          ...exported,
          history,
          chance,
          folder: mkdtempSync(join(folder, `${round}-`)),
          onWhole: () => (saidWhole += 1),
          onProblem: (text) => {
            problems.push(text)
            proof.say(`round ${round}: ${text}`)
          },
        }
        const played = await playRound(tools)
        proof.say(`round ${round}: ${played}`)
        if (problems.length === 0) rmSync(tools.folder, { recursive: true })
      }
    } finally {
      await exported.stop()
      if (problems.length === 0) rmSync(folder, { recursive: true })
      else proof.say(`What was found is in ${folder}`)
    }
    expect(problems.length === 0, `${problems.length} of ${saidWhole} are not`)
    return `${rounds} rounds, ${saidWhole} said whole`
  })
