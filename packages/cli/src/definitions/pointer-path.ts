/** The property names and indexes that lead to a value in a definition. */
export type Path = readonly (string | number)[]

/** A JSON pointer (RFC 6901) as a path. */
export const pointerPath = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
