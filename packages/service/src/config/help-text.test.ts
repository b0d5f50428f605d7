import { expect, it } from 'vitest'
import { helpText } from './help-text.ts'
import { environmentVariableOf, serveOptions } from './options.ts'

const entries = helpText().split('\n\n')

/** The entry of the option that this environment variable sets. */
const entryOf = (variable: string) =>
  entries.find((entry) => (entry.split('\n')[0] ?? '').trimEnd().endsWith(variable))

it('--help begins with the commands', () => {
  expect(entries.slice(0, 2)).toEqual([
    `Usage: octavo-service [options]           serve
       octavo-service migrate [options]   bring the database up to date, then exit`,
    'Options (migrate takes --database-url, --log-level and --log-format):',
  ])
})

// What the table says of each option is compared whole in docs/reference/options.md, which is made from it as well.
it('--help has an entry for every option, in the order of the table', () => {
  const options = Object.values(serveOptions)
  expect(entries.slice(2).map((entry) => entry.split('\n')[1]?.trim())).toEqual(
    options.map(({ sentence }) => sentence),
  )
  for (const option of options) {
    expect(entryOf(environmentVariableOf(option))).toContain(`Must be ${option.type.takes}.`)
  }
})

it.each([
  [
    'OCTAVO_PORT',
    `  --port <value>, OCTAVO_PORT
      The port to listen on; 0 picks any free port.
      Must be a whole number from 0 to 65535.
      Default: 8080`,
  ],
  [
    'OCTAVO_DATABASE_URL',
    `  --database-url <value>, OCTAVO_DATABASE_URL
      The PostgreSQL database that holds everything; if it names several hosts (one:5432,two:5432), the primary is used.
      Must be the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name.
      Required.`,
  ],
  [
    'OCTAVO_OTLP_URL',
    `  --otlp-url <value>, OCTAVO_OTLP_URL
      The OpenTelemetry collector to which a trace of every request is sent; if empty, none is sent.
      Must be the http or https URL of an OTLP/HTTP receiver, without /v1/traces, such as http://localhost:4318.
      Default: empty`,
  ],
])('the entry of %s has its names, its meaning, what it takes and its default', (variable, entry) => {
  expect(entryOf(variable)).toBe(entry)
})

it('a secret has no flag, and says why', () => {
  expect(entryOf('OCTAVO_PAGE_TOKEN_KEYS')).toMatch(
    /^ {2}OCTAVO_PAGE_TOKEN_KEYS\n.*\n.*\n {6}Required; it is a secret, so it has no flag\.$/,
  )
})
