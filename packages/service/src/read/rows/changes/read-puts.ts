import { limits } from '@octavo/protocol'
import { allOf } from '../../../catalog/filter/filter.ts'
import { chooseOrder } from '../../plan/choose-order.ts'
import type { Captured } from '../../token/captured-by.ts'
import { withKeys } from '../state/find-keys.ts'
import type { PageRows } from '../page/page-rows.ts'
import type { ReadLimits } from '../page/read-limits.ts'
import { readPageAnywhere } from '../page/read-page-anywhere.ts'
import type { RowSources } from '../state/row-sources.ts'
import type { WantedDifference } from './wanted-difference.ts'

export interface WantedPuts extends WantedDifference {
  readonly at: Captured
  readonly keys: readonly string[]
  /** Only objects after this key; all of them when undefined. */
  readonly after: string | undefined
}

/** Reads the objects with these keys, as far as they are there and the caller sees them, in the order of the key. */
export async function readPuts(
  sources: RowSources,
  wanted: WantedPuts,
  readLimits: ReadLimits,
): Promise<PageRows | undefined> {
  const { type, at, filter, pageSize, keys, after, select } = wanted
  if (keys.length === 0) return undefined
  const order = chooseOrder(type, [])
  const rows = await readPageAnywhere(
    sources,
    {
      type,
      record: wanted.record ?? 'change',
      order,
      position: after === undefined ? undefined : [after],
      at,
      // A page may be smaller than the one that read these changes first.
      pageSize: Math.min(keys.length, pageSize),
      byteBudget: wanted.byteBudget ?? limits.page.byteBudget,
      access: { kind: 'gather', order, filter: allOf([withKeys(type, keys), filter]) },
      select: select && [type.key.property, ...select],
    },
    readLimits,
  )
  return rows.objects === 0 ? undefined : rows
}
