import { setTimeout as sleep } from 'node:timers/promises'
import type { State } from '../model-server/model-data.ts'
import { addCommit, applied, latestVersion, stateAt } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

const overtaking = 8
const mostMilliseconds = 400

export const changesByTime: BrokenServer = {
  name: 'changes-by-time',
  mistake:
    'finds changes by the time of their commits: one that began earlier and ended later is never found',
  clause: 'P270',
  also: ['P271'],
  revision: '2.0',
  steps: () => {
    let begun = 0
    let ended = 0
    return {
      commit: async (store, lines) => {
        const stampedAt = performance.now()
        begun += 1
        const endedBefore = ended
        const isSlow = begun % 3 === 0
        // Others overtake it, however busy the machine is, unless there are none.
        const isHeld = () =>
          isSlow && ended - endedBefore < overtaking && performance.now() - stampedAt < mostMilliseconds
        do await sleep(1)
        while (isHeld())
        ended += 1
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
