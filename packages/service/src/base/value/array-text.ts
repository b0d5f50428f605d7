/** The text of a PostgreSQL array; an empty array counts as no value (P88). */
export const arrayText = (values: readonly string[]): string | null =>
  values.length === 0
    ? null
    : `{${values.map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
