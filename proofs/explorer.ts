// The page is small, asks nobody else, is usable by everyone, shows what the service would give and nothing else, and stays quick over a
// million rows. `--pictures` writes the pictures of the guide. The short form has fewer rows and runs.
import { proveAnalyst } from './explorer/analyst.ts'
import { proveCallers } from './explorer/callers.ts'
import { proveEveryView } from './explorer/every-view.ts'
import { proveFirstLoad } from './explorer/first-load.ts'
import { proveHostileContents } from './explorer/hostile-contents.ts'
import { proveManyRows } from './explorer/many-rows.ts'
import { proveMonkey } from './explorer/monkey.ts'
import { withServedExplorer } from './explorer/served-explorer.ts'
import { inLongForm, within, type Points } from './harness/prove.ts'

export const points: Points = {
  ...within(withServedExplorer, {
    'first-load': proveFirstLoad,
    'every-view': inLongForm(proveEveryView),
    'hostile-contents': proveHostileContents,
    callers: proveCallers,
    monkey: proveMonkey,
    'many-rows': proveManyRows,
  }),
  analyst: inLongForm(proveAnalyst),
}

export const options = {
  pictures: { type: 'boolean', default: false },
  rows: { type: 'string' },
  runs: { type: 'string' },
  seed: { type: 'string' },
} as const
