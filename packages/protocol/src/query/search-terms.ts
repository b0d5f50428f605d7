// The characters that separate the terms of a text, whitespace included, as the public API family splits them.
const separators = /[\s?!,:;\-[\](){}'"~]+/u

// Most codes and words are one term, and finding that out is cheaper than splitting them.
const oneTerm = /^[A-Za-z0-9]+$/

/** The terms of a text as the term queries see them: split, and in lower case. */
export function searchTerms(text: string): readonly string[] {
  if (oneTerm.test(text)) return [text.toLowerCase()]
  return text
    .toLowerCase()
    .split(separators)
    .filter((term) => term !== '')
}
