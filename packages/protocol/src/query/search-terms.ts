// The characters that separate the terms of a text, whitespace included, as the public API family splits them.
const separators = /[\s?!,:;\-[\](){}'"~]+/u

/** The terms of a text as the term queries see them: split, and in lower case. */
export function searchTerms(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(separators)
    .filter((term) => term !== '')
}
