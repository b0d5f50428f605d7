/** A moment as a column of type timestamp takes it: UTC, without a zone. */
export const columnTime = (moment: Date): string => moment.toISOString().replace(/Z$/, '')

export const columnTimeBefore = (moment: Date, seconds: number): string =>
  columnTime(new Date(moment.getTime() - seconds * 1_000))
