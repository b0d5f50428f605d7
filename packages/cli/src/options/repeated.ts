/** For a repeatable option: commander passes each value together with the earlier ones. */
export const repeated = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
]
