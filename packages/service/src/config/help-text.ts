import { environmentVariableOf, flagOf, serveOptions } from './options.ts'
import type { Option } from './options.ts'

export const helpText = (): string => `Usage: octavo-service [options]           serve
       octavo-service migrate [options]   bring the database up to date, then exit

Options (migrate takes --database-url, --log-level and --log-format):

${Object.values(serveOptions).map(entry).join('\n\n')}
`

const entry = (option: Option<unknown>): string =>
  [names(option), option.sentence, `Must be ${option.type.takes}.`, fallback(option)].join('\n      ')

const names = (option: Option<unknown>): string =>
  option.secret
    ? `  ${environmentVariableOf(option)}`
    : `  ${flagOf(option)} <value>, ${environmentVariableOf(option)}`

const fallback = (option: Option<unknown>): string => {
  if (option.secret) return 'Required; it is a secret, so it has no flag.'
  if (option.default === undefined) return 'Required.'
  return `Default: ${option.default === '' ? 'empty' : option.default}`
}
