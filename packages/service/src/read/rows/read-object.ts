import { limits } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import type { Filter } from '../../catalog/filter/filter.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'
import { chooseOrder } from '../plan/choose-order.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { compileObjectQuery } from '../sql/compile-object-query.ts'
import { recordEnd, recordSeparator } from '../sql/record-text.ts'
import type { Captured } from '../token/captured-by.ts'
import type { PageRows } from './page-rows.ts'
import type { ReadLimits } from './read-limits.ts'

export interface WantedObject {
  readonly key: string
  /** Matches the objects of the type that the caller may read. */
  readonly visible: Filter
  /** The state to read; the latest one when undefined. */
  readonly at?: Captured | undefined
}

/** The record in a state that was named, or nothing when no visible object has this key there. */
export async function readObjectAt(
  readRows: (plan: PagePlan, limits?: ReadLimits) => Promise<PageRows>,
  type: ObjectType,
  { key, visible, at }: WantedObject & { readonly at: Captured },
  signal: AbortSignal | undefined,
): Promise<Buffer | undefined> {
  const column = { name: 'pk', scalar: type.key.scalar, many: false, start: false }
  const order = chooseOrder(type, [])
  const rows = await readRows(
    {
      type,
      record: 'listed',
      order,
      position: undefined,
      at,
      pageSize: 1,
      byteBudget: limits.page.byteBudget,
      access: {
        kind: 'scan',
        order,
        within: { kind: 'compare', column, operator: '=', value: key },
        check: visible,
      },
    },
    signal === undefined ? {} : { signal },
  )
  const record = rows.objects === 0 ? undefined : Buffer.concat([rows.records, Buffer.from(recordEnd)])
  rows.giveBack?.()
  return record
}

/** The record as it is sent, or nothing when no visible object has this key. */
export async function readObject(
  database: SchemaDatabase,
  type: ObjectType,
  { key, visible, signal }: WantedObject & { readonly signal: AbortSignal | undefined },
): Promise<Buffer | undefined> {
  const [revision, head, value] = (await database.bytes(compileObjectQuery(type, key, visible), signal)) ?? []
  if (revision?.toString() !== `${type.revision} ${type.revisionTag}`) throw new StaleDefinition(type)
  if (head == null || value == null) return undefined
  return Buffer.concat([head.subarray(recordSeparator.length), value, Buffer.from(recordEnd)])
}
