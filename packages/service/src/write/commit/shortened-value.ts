// A refusal repeats the value that was sent, but not all of it: a line may have 16 MiB, and its values may be nested just as
// deep.

const longestShown = 200

/** The value itself if it is short, otherwise the beginning of its JSON. */
export function shortened(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value)
  if (typeof value !== 'object' || value === null) return value
  const text = beginningOfJson(value)
  return text.length > longestShown ? shortText(text) : value
}

export const shortText = (text: string): string =>
  text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}...` : text

/**
 * The JSON of the value, cut soon after the length that is shown. JSON.stringify would recurse as deep as the value does, and
 * overflow the stack.
 */
function beginningOfJson(value: unknown): string {
  let text = ''
  const isFull = () => text.length > longestShown
  const write = (part: unknown): void => {
    if (typeof part === 'string') text += JSON.stringify(part.slice(0, longestShown))
    else if (typeof part !== 'object' || part === null) text += JSON.stringify(part)
    else if (Array.isArray(part)) writeList(part)
    else writeObject(part)
  }
  // Each level writes a character before it recurses, so the depth is bounded by the length that is shown.
  const writeList = (list: readonly unknown[]): void => {
    text += '['
    for (const [place, item] of list.entries()) {
      if (isFull()) return
      if (place > 0) text += ','
      write(item)
    }
    text += ']'
  }
  const writeObject = (object: object): void => {
    text += '{'
    let between = ''
    for (const [name, item] of Object.entries(object)) {
      if (isFull()) return
      text += `${between}${JSON.stringify(name.slice(0, longestShown))}:`
      between = ','
      write(item)
    }
    text += '}'
  }
  write(value)
  return text
}
