import { environmentVariableOf, flagOf, serveOptions, type Option } from '@octavo/service'

/** docs/reference/options.md, from the same table as --help. */
export const optionsPage = (): string => `# Options of the service

The service reads its options once, when it starts. A flag overrides an environment variable, which overrides the default.
If an option is unknown, missing or has an invalid value, the service does not start, and says in one sentence what to set.
Secrets have no flag, because command lines are visible to every user of a machine; they are never printed.
\`migrate\` takes \`--database-url\`, \`--log-level\` and \`--log-format\`.

| flag | environment variable | default | meaning |
| --- | --- | --- | --- |
${Object.values(serveOptions).map(row).join('\n')}
`

const row = (option: Option<unknown>): string => {
  const cells = [
    option.secret ? 'none (secret)' : `\`${flagOf(option)}\``,
    `\`${environmentVariableOf(option)}\``,
    fallback(option),
    `${option.sentence} Must be ${option.type.takes}.`,
  ]
  return `| ${cells.join(' | ')} |`
}

const fallback = ({ default: value }: Option<unknown>): string => {
  if (value === undefined) return 'required'
  return value === '' ? 'empty' : `\`${value}\``
}
