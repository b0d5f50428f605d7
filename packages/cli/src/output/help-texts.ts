export type Example = readonly [meaning: string, command: string]

/** The end of a help text. An example without a meaning continues the one before. */
export const examples = (lines: readonly Example[]): string =>
  `
Examples:
${lines.map(([meaning, command]) => `${meaning === '' ? '' : `  # ${meaning}\n`}  $ ${command}\n`).join('')}`
