/** The text of a PostgreSQL array; an empty array counts as no value (P88). */
export const arrayText = (values: readonly string[]): string | null => {
  let text = ''
  for (const value of values) {
    const escaped = special.test(value) ? value.replaceAll(allSpecial, String.raw`\$&`) : value
    text += text === '' ? `"${escaped}"` : `,"${escaped}"`
  }
  return text === '' ? null : `{${text}}`
}

const special = /["\\]/
const allSpecial = /["\\]/g
