// What was sent is repeated in a refusal, but not all of it: a line may be 16 MiB, and nest as deep as that.

const longestShown = 200

/** As it is, or the beginning of its JSON. */
export function shortened(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value)
  if (typeof value !== 'object' || value === null) return value
  const text = beginningOfJson(value)
  return text.length > longestShown ? shortText(text) : value
}

export const shortText = (text: string): string =>
  text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}...` : text

/** Longer than is shown where there is more: JSON.stringify would go as deep as the value does, and out of its stack. */
function beginningOfJson(value: unknown): string {
  let text = ''
  const isFull = () => text.length > longestShown
  const write = (part: unknown): void => {
    if (typeof part === 'string') text += JSON.stringify(part.slice(0, longestShown))
    else if (typeof part !== 'object' || part === null) text += JSON.stringify(part)
    else if (Array.isArray(part)) writeList(part)
    else writeObject(part)
  }
  // Each level writes a character before it goes deeper, so there are no more levels than are shown.
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
