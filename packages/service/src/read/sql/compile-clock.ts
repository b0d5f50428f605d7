import type { PagePlan } from '../plan/page-plan.ts'
import type { Parameters } from '../../base/sql-query.ts'

/** What the clock says about the type, and about the commit whose version was asked for or captured. */
const ofClock = {
  version: 'k.version',
  floor: 'k.floor',
  live: 'k.live',
  revision: 'k.revision',
  revisionTag: 'k.revision_tag',
  largest: 'k.largest',
}
const ofCommit = { tag: 'm.tag', snapshotLive: 'm.live' }

export const clockParts = { ...ofClock, ...ofCommit } as const
export const clockSeparator = ' '

/**
 * Everything that makes a page trustworthy, read in the same statement from the clock `k`, as one text. Its parts are numbers
 * and tags of letters; a null part is empty. The commit is a subquery because a join takes PostgreSQL 7 µs more.
 */
export function compileClock({ type, at }: PagePlan, parameters: Parameters): string {
  const separator = parameters.add(clockSeparator, 'text')
  const join = (parts: object) => Object.values(parts).join(`, ${separator}, `)
  // Two empty parts.
  const noCommit = separator
  if (at.kind === 'latest') return `concat(${join(ofClock)}, ${separator}, ${noCommit})`
  const version = at.kind === 'snapshot' ? parameters.add(at.version, 'bigint') : 'k.version'
  const commit = `select concat(${join(ofCommit)}) from ${type.tables.commits} m where m.object_type = ${parameters.add(type.id, 'integer')} and m.version = ${version}`
  return `concat(${join(ofClock)}, ${separator}, coalesce((${commit}), ${noCommit}))`
}
