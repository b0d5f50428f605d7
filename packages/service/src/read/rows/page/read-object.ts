import { limits } from '@octavo/protocol'
import type { ObjectType } from '../../../catalog/object-type.ts'
import { StaleDefinition } from '../../../catalog/stale-definition.ts'
import type { Filter } from '../../../catalog/filter/filter.ts'
import { keyColumnOf } from '../../../catalog/filter/resolve-filter.ts'
import type { PointInTime } from '../../plan/page-plan.ts'
import { chooseOrder } from '../../plan/choose-order.ts'
import type { RecordShape } from '../../request/page-request.ts'
import { compileObjectQuery } from '../../sql/compile-object-query.ts'
import { recordEnd, recordSeparator } from '../../sql/record-text.ts'
import type { RowSources } from '../state/row-sources.ts'
import { readPageAnywhere } from './read-page-anywhere.ts'

export interface WantedObject {
  readonly key: string
  /** Matches the objects of the type that the caller may read. */
  readonly visible: Filter
  readonly at: PointInTime
  readonly record: RecordShape
}

/** The record as it is sent, or nothing when no visible object has this key. */
export async function readObject(
  sources: RowSources,
  type: ObjectType,
  { at, ...wanted }: WantedObject,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  if (at.kind !== 'latest' || at.after !== undefined)
    return readObjectAt(sources, type, { ...wanted, at }, signal)
  const { record } = wanted
  const query = compileObjectQuery(type, wanted)
  const [revision, head, value] = (await sources.database.holding(type.schema).bytes(query, signal)) ?? []
  if (revision?.toString() !== `${type.revision} ${type.revisionTag}`) throw new StaleDefinition(type)
  if (head == null || value == null) return undefined
  return Buffer.concat([head.subarray(recordSeparator(record).length), value, Buffer.from(recordEnd(record))])
}

/** The record in a state that was named, or that contains a position, or nothing when no visible object has this key there. */
async function readObjectAt(
  sources: RowSources,
  type: ObjectType,
  { key, visible, at, record }: WantedObject,
  signal: AbortSignal | undefined,
): Promise<Buffer | undefined> {
  const order = chooseOrder(type, [])
  const rows = await readPageAnywhere(
    sources,
    {
      type,
      record,
      order,
      position: undefined,
      at,
      pageSize: 1,
      byteBudget: limits.page.byteBudget,
      access: {
        kind: 'scan',
        order,
        within: { kind: 'compare', column: keyColumnOf(type), operator: '=', value: key },
        check: visible,
      },
    },
    signal === undefined ? {} : { signal },
  )
  const whole = rows.objects === 0 ? undefined : Buffer.concat([rows.records, Buffer.from(recordEnd(record))])
  rows.giveBack?.()
  return whole
}
