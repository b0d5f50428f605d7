import type { PagePlan } from '../plan/page-plan.ts'
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import { epochlessVersion } from '../../catalog/epochs.ts'

/** What the clock says about the type, and about the commit whose version was asked for or captured. */
const ofClock = {
  version: 'k.version',
  floor: 'k.floor',
  live: 'k.live',
  revision: 'k.revision',
  revisionTag: 'k.revision_tag',
  largest: 'k.largest',
  epoch: 'k.epoch',
  epochlessVersion: epochlessVersion('k'),
}
const ofCommit = {
  tag: 'm.tag',
  snapshotLive: 'm.live',
  checksum: 'm.checksum',
  // An earlier release has written no epoch. Whatever ended after a version that can be read, ended after the floor.
  snapshotEpoch: 'coalesce(m.epoch, greatest(k.floor_epoch, 1))',
}

export const clockParts = { ...ofClock, ...ofCommit } as const
export const clockSeparator = ' '

/**
 * Everything that makes a page trustworthy, read in the same statement from the clock `k`, as one text. Its parts are numbers
 * and tags of letters; a null part is empty. The commit is a subquery because a join takes PostgreSQL 7 µs more.
 */
export function compileClock({ type, at }: Pick<PagePlan, 'type' | 'at'>, parameters: Parameters): string {
  const separator = parameters.add(clockSeparator, 'text')
  const join = (parts: object) => Object.values(parts).join(`, ${separator}, `)
  // Empty parts.
  const noCommit = `concat(${Object.keys(ofCommit)
    .slice(1)
    .map(() => separator)
    .join(', ')})`
  if (at.kind === 'latest') return `concat(${join(ofClock)}, ${separator}, ${noCommit})`
  const version = at.kind === 'snapshot' ? parameters.add(at.version, 'bigint') : 'k.version'
  const commit = `select concat(${join(ofCommit)}) from ${type.tables.commits} m where m.object_type = ${parameters.add(type.id, 'integer')} and m.version = ${version}`
  return `concat(${join(ofClock)}, ${separator}, coalesce((${commit}), ${noCommit}))`
}

/** The clock alone. */
export function compileClockQuery(plan: Pick<PagePlan, 'type' | 'at'>): SqlQuery {
  const parameters = new Parameters()
  const { id, tables } = plan.type
  const clock = compileClock(plan, parameters)
  return {
    text: `select ${clock} from ${tables.clock} k where k.object_type = ${parameters.add(id, 'integer')}`,
    values: parameters.values,
  }
}
