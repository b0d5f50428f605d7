import { visibleText } from '../grid/cell-text.ts'

/** A property of a megabyte would make the page unusable, so only its beginning is laid out. Copying has all of it. */
const most = 20_000
const cut = (text: string, length: number): string =>
  text.length > length
    ? `${text.slice(0, length)}… (${text.length.toLocaleString('en-GB')} characters)`
    : text

export const visibleLines = (text: string, length = most): string =>
  cut(text, length).split('\n').map(visibleText).join('\n')
