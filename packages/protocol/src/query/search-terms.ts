// The characters between two terms of a text, besides whitespace, as the public API family splits them.
const separators = /[\s?!,:;\-[\](){}'"~]+/u

/** The terms of a text as the term queries see them: split, and folded to lower case. */
export function searchTerms(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(separators)
    .filter((term) => term !== '')
}
