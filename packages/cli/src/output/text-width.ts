// Text as a terminal shows it: a letter with its accents is one column wide, an ideograph or an emoji two.

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const wide =
  /^(\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6])/u

const plain = /^[\x20-\x7E]*$/

const columnsOf = (grapheme: string): number => (wide.test(grapheme) ? 2 : 1)

export function textWidth(text: string): number {
  if (plain.test(text)) return text.length
  let columns = 0
  for (const { segment } of graphemes.segment(text)) columns += columnsOf(segment)
  return columns
}

/** The text in at most this many columns; truncated text ends in `…`. */
export function fitText(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (textWidth(text) <= columns) return text
  let fitted = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    const next = columnsOf(segment)
    if (used + next > columns - 1) break
    fitted += segment
    used += next
  }
  return `${fitted}…`
}

export function padText(text: string, columns: number, align: 'left' | 'right'): string {
  const room = ' '.repeat(Math.max(0, columns - textWidth(text)))
  return align === 'left' ? text + room : room + text
}

/** The text on one line, without control characters that the terminal would act on. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�')
}
