// The partitions of a state, all read at once: together they are the state.
import type { Record1, Totals } from '../answers.ts'
import { filterByChance, isEverything } from '../filters.ts'
import { readTypes } from '../history.ts'
import { byId } from '../orders.ts'
import { compareObjects, expected, type Run } from '../run.ts'
import { often } from '../things.ts'
import { allPages, answered, search } from './pages.ts'
import { anySnapshot } from './snapshot.ts'
import { checkTotals, propertiesOf } from './walk.ts'

interface Partitions extends Totals {
  readonly version: string
  readonly snapshotToken: string
  readonly data: readonly { readonly pageToken: string }[]
}

export async function partitions(run: Run): Promise<void> {
  const { chance, things } = run
  const [caller, type] = [chance.one(run.readers), chance.one(readTypes)]
  const filter = filterByChance(chance, things)
  const state = await anySnapshot(run, caller, type)
  if (state === undefined) return
  const select = often(chance, 3) ? ['cat'] : undefined
  const isAsked = often(chance, 8) || !isEverything(filter)
  const answer = await answered<Partitions>(run, caller, {
    method: 'POST',
    path: `${run.paths.typed(type)}/partitions`,
    body: {
      partitionCount: 1 + chance.below(12),
      query: isAsked ? filter.query : undefined,
      select,
      snapshotToken: state.snapshot?.token,
    },
  })
  if (answer === undefined) return
  const { snapshotToken } = answer
  const version = Number(answer.version)
  const read = await Promise.all(
    answer.data.map(({ pageToken }) =>
      allPages<Record1>(run, {
        caller,
        from: pageToken,
        request: search(run, type, () => ({
          query: filter.query,
          select,
          snapshotToken,
          pageSize: 1 + chance.below(60),
        })),
        onPage: ({ totalCount, checksum }) => {
          if (totalCount !== undefined || checksum !== undefined)
            run.violation('a partition has a total', { totalCount, checksum })
        },
      }),
    ),
  )
  if (read.includes(undefined)) return
  run.later(() => {
    const want = expected(run, { caller, type, version, filter })
    compareObjects(run, {
      what: 'partitions',
      got: read.flatMap((partition) => partition?.items ?? []).map(propertiesOf),
      want,
      compare: byId,
      select,
      details: { type, version, query: filter.query, groups: caller.groups, partitions: read.length },
    })
    checkTotals(run, 'partitions', { type, version, answer, want: want.length })
  })
}
