/** To the second, in UTC, as the service gives it: a reader elsewhere sees the same. */
export const timeText = (time: string): string => `${time.slice(0, 19).replace('T', ' ')} UTC`
