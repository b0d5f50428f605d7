import { castType } from '../../catalog/column.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { type Filter, linkedStates } from '../../catalog/filter/filter.ts'
import { compileFilter } from './compile-filter.ts'
import type { RecordShape } from '../request/page-request.ts'
import { recordText, keyText } from './record-text.ts'
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { compileSides } from './compile-arm.ts'
import { compileClock } from './compile-clock.ts'

interface ObjectByKey {
  readonly key: string
  readonly visible: Filter
  readonly record: RecordShape
}

/** Reads one object by its key, if the caller may see it, together with its type's current revision and tag. */
export function compileObjectQuery(type: ObjectType, { key, visible, record }: ObjectByKey): SqlQuery {
  const parameters = new Parameters()
  const { head, value } = recordText(type, { shape: record, withEscapes: true }, parameters)
  return {
    text: `select concat(k.revision, ' ', k.revision_tag), o.head, o.value from ${type.tables.clock} k
left join (select ${head} as head, ${value} as value from ${type.tables.current} where pk = ${parameters.add(key, castType(type.key.scalar))} and ${compileFilter(visible, parameters)}) as o on true
where k.object_type = ${parameters.add(type.id, 'integer')}`,
    values: parameters.values,
  }
}

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
