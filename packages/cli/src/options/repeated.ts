/** For an option that may be given several times: commander hands each value with those before it. */
export const repeated = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
]
