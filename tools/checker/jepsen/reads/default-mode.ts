// A walk without a snapshot: what exists all through is seen exactly once, and the drift is told.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Drift, Record1 } from '../answers.ts'
import type { Run } from '../run.ts'
import { allPages, search } from './pages.ts'

export async function defaultMode(run: Run): Promise<void> {
  const { chance } = run
  const caller = chance.one(run.readers)
  const walked = await allPages<Record1>(run, {
    caller,
    request: search(run, 'item', () => ({
      query: { type: 'empty' },
      pageSize: 10 + chance.below(100),
      orderBy: { fields: [{ field: 'id', direction: 'asc' }] },
    })),
    rest: () => sleep(chance.below(100)),
  })
  if (walked === undefined) return
  const { items, last } = walked
  const { drift } = last
  if (drift === undefined) return
  run.later(() => check(run, items, drift))
}

function check({ count, violation, history }: Run, items: readonly Record1[], drift: Drift): void {
  count('checked default mode')
  const [from, to] = [Number(drift.fromVersion), Number(drift.toVersion)]
  const commits = history.item.commits().filter(({ version }) => version > from && version <= to)
  let before = history.item.at(from)
  let stayed = new Set(before.keys())
  let [puts, deletes] = [0, 0]
  for (const { version } of commits) {
    const after = history.item.at(version)
    stayed = new Set([...stayed].filter((key) => after.has(key)))
    puts += [...after].filter(([key, object]) => before.get(key) !== object).length
    deletes += [...before.keys()].filter((key) => !after.has(key)).length
    before = after
  }
  const seen = Map.groupBy(items, ({ primaryKey }) => primaryKey)
  for (const key of stayed) {
    const times = seen.get(key)?.length ?? 0
    if (times !== 1) violation('default mode: what stays is not seen once', { key, times, from, to })
  }
  if (puts !== Number(drift.puts) || deletes !== Number(drift.deletes))
    violation('default mode: wrong drift', { drift, puts, deletes })
}
