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
