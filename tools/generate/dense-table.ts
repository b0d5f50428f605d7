/** A table without the blanks that Prettier would add: half of a page whose last column has sentences. */
export const denseTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    '<!-- prettier-ignore -->',
    ...[header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n')
