import { environmentVariableOf, flagOf, serveOptions, type Option } from '@octavo/service'
import { denseTable } from './dense-table.ts'

/** docs/reference/options.md, from the same table as --help. */
export const optionsPage = (): string => `# Options of the service

How is the service configured? It reads its options once, when it starts. A flag overrides an environment variable, which
overrides the default. If an option is unknown, missing or has an invalid value, the service does not start, and says in one
sentence what to set. A secret has no flag, because every user of a machine sees command lines, and is never printed.
\`octavo migrate\` takes \`--database-url\`, \`--log-level\` and \`--log-format\`.

${denseTable(['flag', 'environment variable', 'default', 'meaning'], Object.values(serveOptions).map(row))}

This page is generated from \`packages/service/src/config/options.ts\` by \`npm run generate\`.
`

const row = (option: Option<unknown>): readonly string[] => [
  option.secret ? 'none (secret)' : `\`${flagOf(option)}\``,
  `\`${environmentVariableOf(option)}\``,
  fallback(option),
  `${option.sentence} Must be ${option.type.takes}.`,
]

const fallback = ({ default: value }: Option<unknown>): string => {
  if (value === undefined) return 'required'
  return value === '' ? 'empty' : `\`${value}\``
}
