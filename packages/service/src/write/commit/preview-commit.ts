// What a batch would change, counted by one statement that sees one state and locks nothing.
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { differ } from './commit-parts.ts'
import { plainCast, type GivenObjects } from './given-objects.ts'

export function countChanges({ id, tables }: ObjectType, given: GivenObjects): SqlQuery {
  const parameters = new Parameters()
  const source = given.source(parameters, plainCast, false)
  const live = () => `(select live from ${tables.clock} where object_type = ${parameters.add(id, 'integer')})`
  const differs = differ('c', 'u')
  const counted = (condition: string) => `count(*) filter (where ${condition})`
  return {
    text: `select ${counted('not u.deleted and c.pk is null')} as created,
  ${counted(`not u.deleted and c.pk is not null and ${differs}`)} as updated,
  ${counted(`case when u.deleted then c.pk is null else c.pk is not null and not ${differs} end`)} as unchanged,
  ${given.replaces ? `${live()} - count(c.pk)` : counted('u.deleted and c.pk is not null')} as deleted
from (${source}) u left join ${tables.current} c on c.pk = u.pk`,
    values: parameters.values,
  }
}
