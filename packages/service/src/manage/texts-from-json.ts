/** Reads a column that was written as a list of texts. */
export const textsFromJson = (json: string | null | undefined): readonly string[] =>
  json == null ? [] : (JSON.parse(json) as string[])
