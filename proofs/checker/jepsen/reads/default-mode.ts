// A walk without a snapshot: what exists all through is seen exactly once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Record1 } from '../answers.ts'
import type { Run } from '../run.ts'
import { allPages, search, type Walked } from './pages.ts'

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
    isDefaultMode: true,
    rest: () => sleep(chance.below(100)),
  })
  if (walked === undefined) return
  run.later(() => check(run, walked))
}

function check({ count, violation, history }: Run, { items, first, last }: Walked<Record1, Page>): void {
  count('checked default mode')
  const [from, to] = [Number(first.version), Number(last.version)]
  const commits = history.item.commits().filter(({ version }) => version > from && version <= to)
  let stayed = new Set(history.item.at(from).keys())
  for (const { version } of commits) {
    const after = history.item.at(version)
    stayed = new Set([...stayed].filter((key) => after.has(key)))
  }
  const seen = Map.groupBy(items, ({ primaryKey }) => primaryKey)
  for (const key of stayed) {
    const times = seen.get(key)?.length ?? 0
    if (times !== 1) violation('default mode: what stays is not seen once', { key, times, from, to })
  }
}
