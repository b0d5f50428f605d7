// Words of a definition as parts of a TypeScript file.

export const stringLiteral = (text: string): string => `'${text}'`

export const propertyKey = (name: string): string => (/^[A-Za-z]\w*$/.test(name) ? name : stringLiteral(name))

export const unionOf = (members: readonly string[]): string =>
  members.length === 0 ? 'never' : members.join(' | ')

/** A definition may contain any text, which must not end the comment. */
export const commentOf = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')
