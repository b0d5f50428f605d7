/** A moment as a column of type timestamp takes it: UTC, without a zone. */
export const columnTime = (moment: Date): string => moment.toISOString().slice(0, -1)

export const columnTimeBefore = (moment: Date, seconds: number): string =>
  columnTime(new Date(moment.getTime() - seconds * 1_000))

/** The other way: what such a column holds, as the wire has it. */
export const wireTime = (column: string): string => `${column.replace(' ', 'T')}Z`
