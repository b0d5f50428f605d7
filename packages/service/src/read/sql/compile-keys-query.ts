import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { linkedStates, type Filter } from '../../catalog/filter/filter.ts'
import { compileSides } from './compile-arm.ts'
import { compileClock } from './compile-clock.ts'
import { compileFilter } from './compile-filter.ts'
import { keyText } from './record-text.ts'

export interface KeysPlan extends Pick<PagePlan, 'type' | 'at'> {
  /** Includes the keys that are looked for. */
  readonly filter: Filter
}

/** The first row is the clock. Each row after it is the key of an object that matches. */
export function compileKeysQuery({ type, at, filter }: KeysPlan): SqlQuery {
  const parameters = new Parameters()
  const where = compileFilter(filter, parameters)
  const sides = compileSides(
    { type, at },
    parameters,
    (table, alive, epochs) =>
      `select ${keyText(type)} from ${table} as rows where ${[where, ...epochs, ...alive].join(' and ')}`,
  )
  const clock = compileClock({ type, at, linked: linkedStates(filter) }, parameters)
  return {
    text: `(select ${clock} as one from ${type.tables.clock} k where k.object_type = ${parameters.add(type.id, 'integer')}) union all (${sides})`,
    values: parameters.values,
  }
}
