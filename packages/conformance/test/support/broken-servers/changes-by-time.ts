import { setTimeout as sleep } from 'node:timers/promises'
import type { State } from '../model-server/model-data.ts'
import { addCommit, applied, latestVersion, stateAt } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const changesByTime: BrokenServer = {
  name: 'changes-by-time',
  mistake:
    'finds changes by the time of their commits: one that began earlier and ended later is never found',
  clause: 'P270',
  also: ['P271'],
  revision: '2.0',
  steps: () => {
    let commits = 0
    return {
      commit: async (store, lines) => {
        const stampedAt = performance.now()
        commits += 1
        // Long enough for another one to overtake it on a busy machine.
        await sleep(commits % 3 === 0 ? 60 : 1)
        addCommit(store, applied(stateAt(store, latestVersion(store)), lines), stampedAt)
      },
      changesBetween: (store, asked) => {
        const timeOf = (version: number) => store.commits[version]?.committedAt ?? 0
        const since = timeOf(asked.from)
        const changed = new Set(
          store.commits.flatMap(({ state, committedAt }, i) =>
            committedAt > since ? keysOfChange(stateAt(store, i - 1), state) : [],
          ),
        )
        return correctSteps.changesBetween(store, asked).filter(({ id }) => changed.has(id))
      },
    }
  },
}

const keysOfChange = (before: State, after: State): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id))
