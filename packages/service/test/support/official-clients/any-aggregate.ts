import type { ObjectSet } from '@osdk/client'

/** An aggregate whose names the compiler does not know. */
export const anyAggregate = (
  set: Pick<ObjectSet, 'aggregate'>,
  $select: Readonly<Record<string, 'unordered' | 'asc' | 'desc'>>,
  $groupBy?: object,
): Promise<unknown> => set.aggregate({ $select, ...($groupBy !== undefined && { $groupBy }) } as never)
