// Every option of the service. --help, docs/reference/options.md and the reader are made from this table.

import {
  hostName,
  longText,
  oneOf,
  origins,
  postgresUrl,
  wholeNumber,
  type OptionType,
} from './option-type.ts'
import { pageTokenKeys } from './page-token-key.ts'

export type Option<Value> = {
  readonly name: string
  readonly type: OptionType<Value>
  /** As a person would write it. An option without one must be set. */
  readonly default?: string
  /** Comes from the environment only, because command lines are visible to every user of a machine; never printed. */
  readonly secret?: true
  /** May carry a password, so a refused value is not repeated. */
  readonly unprinted?: true
  readonly sentence: string
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>

export type ValuesOf<Table extends OptionTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Option<infer Value> ? Value : never
}

export const flagOf = ({ name }: Option<unknown>): string => `--${name}`

export const environmentVariableOf = ({ name }: Option<unknown>): string =>
  `OCTAVO_${name.toUpperCase().replaceAll('-', '_')}`

const option = <Value>(option: Option<Value>): Option<Value> => option

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const serveOptions = {
  host: option({
    name: 'host',
    type: hostName,
    default: '127.0.0.1',
    sentence: 'The address to listen on; 0.0.0.0 is every address of the machine.',
  }),
  port: option({
    name: 'port',
    type: wholeNumber(0, 65_535),
    default: '8080',
    sentence: 'The port to listen on; 0 takes any free one.',
  }),
  databaseUrl: option({
    name: 'database-url',
    type: postgresUrl,
    unprinted: true,
    sentence: 'The PostgreSQL database that holds everything.',
  }),
  databasePoolSize: option({
    name: 'database-pool-size',
    type: wholeNumber(1, 1_000),
    default: '10',
    sentence: 'The most connections to the database that one process keeps open.',
  }),
  statementTimeoutSeconds: option({
    name: 'statement-timeout-seconds',
    type: wholeNumber(1, 3_600),
    default: '30',
    sentence: 'How long one statement may run in the database before it is given up.',
  }),
  pageTokenKeys: option({
    name: 'page-token-keys',
    type: pageTokenKeys,
    secret: true,
    sentence:
      'The keys of page tokens: the first seals new tokens, all of them open tokens already given out.',
  }),
  staticToken: option({
    name: 'static-token',
    type: longText(16),
    secret: true,
    sentence: 'The bearer token that every caller presents.',
  }),
  snapshotRetentionSeconds: option({
    name: 'snapshot-retention-seconds',
    type: wholeNumber(60, 31_536_000),
    default: '3600',
    sentence: 'How long a snapshot stays readable after it was captured.',
  }),
  corsOrigins: option({
    name: 'cors-origins',
    type: origins,
    default: '',
    sentence: 'The web origins whose pages may call the service from a browser; empty allows none.',
  }),
  logLevel: option({
    name: 'log-level',
    type: oneOf(logLevels),
    default: 'info',
    sentence: 'The least important messages that are still logged.',
  }),
  stopGraceSeconds: option({
    name: 'stop-grace-seconds',
    type: wholeNumber(0, 3_600),
    default: '10',
    sentence: 'How long requests in progress may take to finish once the service is told to stop.',
  }),
} satisfies OptionTable

export type ServeOptions = ValuesOf<typeof serveOptions>

export const migrateOptions = {
  databaseUrl: serveOptions.databaseUrl,
  logLevel: serveOptions.logLevel,
} satisfies OptionTable
