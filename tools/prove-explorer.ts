// `npm run prove:explorer`: the page is small, asks nobody else, is usable by everyone, shows what the service would give and nothing
// else, and stays quick over a million rows. `--pictures` writes the pictures of the guide. The short form has fewer rows and runs, and
// leaves out the points that are tests; from the demo to a file is only in the long one.
import { proveAnalyst } from './prove-explorer/analyst.ts'
import { proveCallers } from './prove-explorer/callers.ts'
import { proveFirstLoad } from './prove-explorer/first-load.ts'
import { proveHostileContents } from './prove-explorer/hostile-contents.ts'
import { proveManyRows } from './prove-explorer/many-rows.ts'
import { proveMonkey } from './prove-explorer/monkey.ts'
import { withServedExplorer } from './prove-explorer/served-explorer.ts'
import { proveEveryView } from './prove-explorer/every-view.ts'
import { prove } from './prove.ts'

await prove(
  'explorer',
  async (proof) => {
    await withServedExplorer(async (served) => {
      await proveFirstLoad(proof, served)
      if (!proof.short) await proveEveryView(proof, served)
      await proveHostileContents(proof, served)
      await proveCallers(proof, served)
      await proveMonkey(proof, served)
      await proveManyRows(proof, served)
    })
    if (!proof.short) await proveAnalyst(proof)
  },
  {
    pictures: { type: 'boolean', default: false },
    rows: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string' },
  },
)
