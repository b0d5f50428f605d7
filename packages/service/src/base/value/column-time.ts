/** A moment in the format of a timestamp column: UTC, without a zone. */
export const columnTime = (moment: Date): string => moment.toISOString().slice(0, -1)

export const columnTimeBefore = (moment: Date, seconds: number): string =>
  columnTime(new Date(moment.getTime() - seconds * 1_000))

/** The reverse: the text of such a column in the format of the wire. */
export const wireTime = (column: string): string => `${column.replace(' ', 'T')}Z`

/** A moment in the format of the wire, without trailing zeros (P52). */
export const wireMoment = (moment: Date): string => moment.toISOString().replace(/\.?0+Z$/, 'Z')
