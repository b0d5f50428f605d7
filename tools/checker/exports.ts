// Checks from outside what `octavo export` says: exports are killed at random moments, continued, harmed by hand, begun side by side
// and written to a disk that fills up. Whenever one says that it has exported everything, its file is read and compared with what
// this program itself has written to the service. It uses nothing of the product but the command, the service and what the packages
// export. Arguments: how many rounds (60), and a seed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chances } from './chances.ts'
import { makeHistory } from './exports/history.ts'
import { playRound, type RoundTools } from './exports/play-round.ts'
import { startExported } from './exports/start-exported.ts'

const [rounds = 60, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
const chance = chances(seed)
console.log(`exports: ${rounds} rounds with the seed ${seed}`)

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
        console.log(`round ${round}: ${text}`)
      },
    }
    const played = await playRound(tools)
    console.log(`round ${round}: ${played}`)
    if (problems.length === 0) rmSync(tools.folder, { recursive: true })
  }
} finally {
  await exported.stop()
  if (problems.length === 0) rmSync(folder, { recursive: true })
  else console.log(`What was found is in ${folder}`)
}
console.log(`exports: ${rounds} rounds, ${saidWhole} said whole, ${problems.length} of them not`)
process.exit(problems.length === 0 ? 0 : 1)
