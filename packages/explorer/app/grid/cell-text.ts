// A value as one line of text. Characters that would change the layout or be invisible are shown as signs.
const longest = 300

/** Controls, marks of direction and characters without width. Joiners stay: emoji and many scripts are written with them. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

const named = (character: string): string =>
  `⟨${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`

export const visibleText = (text: string): string => text.replaceAll(hidden, named)

/** Undefined for a property without a value. */
export function cellText(value: unknown, most: number = longest): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'object' ? objectText(value) : scalarText(value)
  return visibleText(text.length > most ? `${text.slice(0, most)}…` : text)
}

/** What a property can hold, apart from lists and structs. */
const scalarText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''

const objectText = (value: object): string =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object')
    ? value.slice(0, 50).join(', ')
    : JSON.stringify(value)

/** The whole value as it is copied and exported. */
export const wholeText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : scalarText(value)
