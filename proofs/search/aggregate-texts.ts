import {
  chooseOrder,
  compileAggregateQuery,
  type Grouping,
  type Metric,
  type PagePlan,
} from '../../packages/service/test/inside.ts'

/** An aggregate of one property with each grouping, and with a text from a request wherever one can stand. */
export function aggregateTexts(
  read: Pick<PagePlan, 'type' | 'at' | 'access'>,
  attack: () => string,
): readonly string[] {
  const column = read.type.columns.find(({ role, many }) => role === 'value' && !many)
  if (column === undefined) return []
  const { name, property, scalar } = column
  const of = { field: attack(), property, column: name, scalar }
  const objects: PagePlan = {
    ...read,
    record: '2.0',
    order: chooseOrder(read.type, []),
    position: undefined,
    pageSize: 100,
    byteBudget: 1_000_000,
  }
  const groupings: readonly Grouping[] = [
    { kind: 'exact', by: of, withNulls: true },
    { kind: 'ranges', by: of, ranges: [{ start: attack(), end: attack(), shown: {} }] },
    { kind: 'width', by: of, width: attack() },
    { kind: 'duration', by: of, length: { interval: attack() } },
    { kind: 'duration', by: of, length: { months: 3 } },
  ]
  const metrics: readonly Metric[] = [
    { name: attack(), type: 'count' },
    { name: attack(), type: 'max', of, order: undefined },
    { name: attack(), type: 'sum', of },
    { name: attack(), type: 'avg', of },
    { name: attack(), type: 'distinct', of },
  ]
  return groupings.map(
    (grouping) =>
      compileAggregateQuery(
        {
          objects,
          metrics,
          groupings: [grouping],
          orderedBy: { metric: 3, direction: 'desc' },
          mostGroups: 10,
        },
        { rowsAtMost: 100, groupsAtMost: 10, bytesAtMost: 1_000 },
      ).text,
  )
}
