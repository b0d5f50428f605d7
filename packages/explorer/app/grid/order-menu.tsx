// Every order that the type can be read in. Others are refused by the service, which says what to declare.
import type { OrderKey } from '@octavo/client'
import type { ObjectType } from '../types/object-type.ts'

const textOf = (order: readonly OrderKey[]): string =>
  order.map(({ field, direction = 'asc' }) => `${field} ${direction === 'asc' ? '↑' : '↓'}`).join(', ')

const ordersOf = ({ properties, orders, primaryKey }: ObjectType): readonly (readonly OrderKey[])[] => [
  ...Object.entries(properties)
    .filter(([name, { sortable }]) => sortable && name !== primaryKey)
    .flatMap(([field]): OrderKey[][] => [[{ field, direction: 'asc' }], [{ field, direction: 'desc' }]]),
  [{ field: primaryKey, direction: 'desc' }],
  ...orders.map(({ fields }) => fields),
]

interface OrderMenuProps {
  readonly type: ObjectType
  readonly order: readonly OrderKey[]
  readonly onOrder: (order: readonly OrderKey[]) => void
}

export function OrderMenu({ type, order, onOrder }: OrderMenuProps) {
  const orders = ordersOf(type)
  const current = order.length === 0 ? '' : textOf(order)
  const isListed = current === '' || orders.some((each) => textOf(each) === current)
  return (
    <select
      aria-label="Order"
      value={current}
      onChange={({ currentTarget: { value } }) =>
        onOrder(orders.find((each) => textOf(each) === value) ?? [])
      }
    >
      <option value="">{type.primaryKey} ↑</option>
      {!isListed && <option value={current}>{current}</option>}
      {orders.map((each) => (
        <option key={textOf(each)} value={textOf(each)}>
          {textOf(each)}
        </option>
      ))}
    </select>
  )
}
