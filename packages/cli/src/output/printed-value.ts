// Values as text to print. A terminal acts on control characters, and the controls of writing direction turn what is around them: both
// are escaped, which is the same value, or replaced where nothing can be escaped.

/** One JSON value on one line: what `--json` prints. */
export const jsonLine = (value: unknown): string => `${escapedJson(JSON.stringify(value))}\n`

/** The same value, over several lines. */
export const jsonLines = (value: unknown): string => `${escapedJson(JSON.stringify(value, undefined, 2))}\n`

/** JSON itself escapes those below. They occur in texts only. */
export const escapedJson = (json: string): string =>
  json.replaceAll(
    /[\u007F-\u009F\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A message may have values in it, and several lines. */
export const printable = (message: string): string =>
  message.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (character) =>
    character === '\n' || character === '\t' ? character : '\uFFFD',
  )
