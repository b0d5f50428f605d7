import { InvalidArgumentError, Option } from 'commander'

/** The delimiter between the cells of a CSV file. */
export const delimiterOption = (): Option =>
  new Option('--delimiter <CHARACTER>', 'what separates the cells of CSV; \\t is a tab')
    .default(',')
    .argParser((text) => {
      const delimiter = text === String.raw`\t` ? '\t' : text
      if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return delimiter
      throw new InvalidArgumentError('It must be one character, and not a quote.')
    })

/** As it is written after `--delimiter`. */
export const delimiterText = (delimiter: string): string => (delimiter === '\t' ? String.raw`\t` : delimiter)

/** What to say of a header that another delimiter separates; undefined if this one may be right. */
export function otherDelimiter(columns: readonly string[], delimiter: string): string | undefined {
  const [only, ...others] = columns
  const other = [',', ';', '\t', '|'].find(
    (each) => each !== delimiter && others.length === 0 && only?.includes(each),
  )
  return other === undefined
    ? undefined
    : `the columns seem to be separated by ${other === '\t' ? 'tabs' : `"${other}"`}: add --delimiter '${delimiterText(other)}'.`
}
