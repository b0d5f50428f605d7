import {
  chooseOrder,
  type ObjectType,
  type PointInTime,
  type Store,
} from '../../packages/service/test/inside.ts'

interface Wanted {
  /** The key after which the page begins. */
  readonly from: string
  readonly size: number
  readonly at?: PointInTime
}

/** One page through the store, as the service reads it. */
export async function readPage(
  store: Store,
  type: ObjectType,
  { from, size, at = { kind: 'latest' } }: Wanted,
): Promise<number> {
  const page = await store.readPage({
    type,
    record: '2.0',
    order: chooseOrder(type, []),
    position: [from],
    at,
    pageSize: size,
    byteBudget: 100 * 1024 * 1024,
  })
  page.giveBack?.()
  return page.objects
}
