// A line may say what its object has to be before the batch: there, not there, or as the writer has read it. Conditions are staged with
// the batch, and compared when the clocks are locked: until then, another writer may change the object.
import { limits, type LineCondition } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { SqlQuery } from '../../base/sql-query.ts'
import { hashColumnOf } from '../../catalog/checksums.ts'
import { castType } from '../../catalog/column.ts'
import type { Reader } from '../../postgres/database.ts'
import type { Condition } from './change.ts'
import type { StagedType } from './staged-rows.ts'
import { shortText } from './shortened-value.ts'

/** The rows of a batch that are conditions have another name than those that are changes. */
const conditionsOf = (batch: string): string => `${batch}.if`

/** As it is compared: the hash of an object is a signed number in its column. */
const wantedText = (wanted: LineCondition): string =>
  'checksum' in wanted
    ? String(BigInt.asIntN(64, BigInt(`0x${wanted.checksum}`)))
    : wanted.exists
      ? 'there'
      : 'absent'

export async function stageConditions(
  database: Reader,
  staged: StagedType,
  conditions: readonly Condition[],
): Promise<void> {
  if (conditions.length === 0) return
  await database.rows({
    text: `insert into ${staged.type.tables.staged} (batch, ordinal, pk, deleted, scalars)
select $1::text, line, pk, false, wanted from unnest($2::bigint[], $3::text[], $4::text[]) as given(line, pk, wanted)`,
    values: [
      conditionsOf(staged.batch),
      conditions.map(({ line }) => String(line)),
      conditions.map(({ key }) => key),
      conditions.map(({ wanted }) => wantedText(wanted)),
    ],
  })
  staged.hasConditions = true
}

/** Refuses the batch with its first lines whose condition does not hold. */
export async function requireConditions(reader: Reader, parts: readonly StagedType[]): Promise<void> {
  const conditional = parts.filter(({ hasConditions }) => hasConditions)
  const failed = await Promise.all(
    conditional.map(async (part) =>
      (await reader.rows(failedConditions(part))).map((row) => ({
        line: Number(row['line']),
        objectType: part.type.apiName,
        primaryKey: shortText(row['pk'] ?? ''),
        problem: problemOf(row['wanted'] ?? '', row['is_there'] === 't'),
      })),
    ),
  )
  const problems = failed.flat().toSorted((a, b) => a.line - b.line)
  if (problems.length > 0) {
    throw new ServiceError('ConditionNotMet', { problems: problems.slice(0, limits.request.batchProblems) })
  }
}

function problemOf(wanted: string, isThere: boolean): 'exists' | 'doesNotExist' | 'hasChanged' {
  if (wanted === 'absent') return 'exists'
  return isThere ? 'hasChanged' : 'doesNotExist'
}

function failedConditions({ type, batch }: StagedType): SqlQuery {
  const { staged, current } = type.tables
  return {
    text: `select s.ordinal as line, s.pk, s.scalars as wanted, c.pk is not null as is_there
from ${staged} s left join ${current} c on c.pk = s.pk::${castType(type.key.scalar)}
where s.batch = $1 and not case s.scalars when 'there' then c.pk is not null when 'absent' then c.pk is null
  else coalesce(c.${hashColumnOf(type)}::text = s.scalars, false) end
order by s.ordinal limit ${limits.request.batchProblems}`,
    values: [conditionsOf(batch)],
  }
}

export const deleteConditions = ({ type, batch }: StagedType): SqlQuery => ({
  text: `delete from ${type.tables.staged} where batch = $1`,
  values: [conditionsOf(batch)],
})
