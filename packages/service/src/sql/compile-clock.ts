import type { PagePlan } from '../plan/page-plan.ts'
import type { Parameters } from './sql-query.ts'

/** What makes a page trustworthy, read in the same statement: the clock `k`, and the commit `m` of a snapshot. */
export function compileClock({ type, at }: PagePlan, parameters: Parameters): string {
  if (at.kind === 'latest') {
    return `${type.tables.clock} k cross join (select null::text as tag, null::bigint as live) as m`
  }
  const version = at.kind === 'snapshot' ? parameters.add(at.version, 'bigint') : 'k.version'
  return `${type.tables.clock} k left join ${type.tables.commits} m on m.object_type = k.object_type and m.version = ${version}`
}

/** What the clock says, in one text: its parts are numbers and a tag of letters, and one that is null is empty. */
export const clockParts = {
  version: 'k.version',
  floor: 'k.floor',
  live: 'k.live',
  revision: 'k.revision',
  largest: 'k.largest',
  tag: 'm.tag',
  snapshotLive: 'm.live',
} as const
export const clockSeparator = ' '

export function compileClockText(parameters: Parameters): string {
  return `concat(${Object.values(clockParts).join(`, ${parameters.add(clockSeparator, 'text')}, `)})`
}
