// Every option of the service. --help, docs/reference/options.md and the code that reads options are made from this table.

import {
  codings,
  filePath,
  collectorUrl,
  hostName,
  issuerUrl,
  oneOf,
  origins,
  plainText,
  postgresUrl,
  postgresUrls,
  redirectUris,
  scopeNames,
  wholeNumber,
  wholeNumberOrOff,
  type OptionType,
} from './option-type.ts'
import { pageTokenKeys } from './page-token-key.ts'

export type Option<Value> = {
  readonly name: string
  readonly type: OptionType<Value>
  /** The default as a person would write it. An option without one must be set. */
  readonly default?: string
  /** The name of an option that must be set whenever this one is. */
  readonly togetherWith?: string
  /** Read from the environment only, because command lines are visible to every user of a machine; never printed. */
  readonly secret?: true
  /** May contain a password: then it cannot be a flag, and an error does not repeat the value. */
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

type Named<Table> = { readonly [Key in keyof Table]: Table[Key] & { readonly name: string } }

/** `databaseUrl` in the code is `database-url` for people. */
const named = <const Table extends Readonly<Record<string, Omit<Option<unknown>, 'name'>>>>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([key, option]) => [
      key,
      { ...option, name: key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) },
    ]),
  ) as Named<Table>

/** From the least important messages to none. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const serveOptions = named({
  host: {
    type: hostName,
    default: '127.0.0.1',
    sentence: 'The address to listen on; 0.0.0.0 means every address of the machine.',
  },
  port: {
    type: wholeNumber(0, 65_535),
    default: '8080',
    sentence: 'The port to listen on; 0 picks any free port.',
  },
  workers: {
    type: wholeNumber(1, 256),
    default: '1',
    sentence:
      'How many processes serve the port; each has its own memory, and database-pool-size, max-connections and rate limits apply to each.',
  },
  databaseUrl: {
    type: postgresUrl,
    unprinted: true,
    sentence:
      'The PostgreSQL database that holds everything; if it names several hosts (one:5432,two:5432), the primary is used.',
  },
  databaseReplicaUrls: {
    type: postgresUrls,
    default: '',
    unprinted: true,
    sentence:
      'Standbys of the database, which serve snapshot pages once they have replayed the version; if empty, the primary serves every page.',
  },
  databasePooling: {
    type: oneOf(['session', 'transaction']),
    default: 'session',
    sentence:
      'How the database is reached: session is directly or through PgBouncer in session mode, transaction is through PgBouncer in transaction mode.',
  },
  databaseRouting: {
    type: oneOf(['direct', 'coordinator']),
    default: 'direct',
    sentence:
      'On a Citus cluster, whether the service connects to the nodes that hold the ontologies (direct) or to the coordinator only, for networks where the nodes cannot be reached.',
  },
  databasePoolSize: {
    type: wholeNumber(1, 1_000),
    default: '10',
    sentence:
      'The maximum number of database connections of one process; with several workers, each may open this many.',
  },
  statementTimeoutSeconds: {
    type: wholeNumber(1, 3_600),
    default: '30',
    sentence: 'How long one statement may run in the database before it is cancelled.',
  },
  batchTimeoutSeconds: {
    type: wholeNumber(1, 86_400),
    default: '3600',
    sentence:
      'How long a batch may take to arrive; after that it is refused, and its staged rows are deleted.',
  },
  requestTimeoutSeconds: {
    type: wholeNumber(1, 3_600),
    default: '60',
    sentence: 'How long the service may work on one page, all statements together, before it gives up.',
  },
  queueMilliseconds: {
    type: wholeNumber(1, 3_600_000),
    default: '75',
    sentence:
      'How long a page may wait in the queue for the database before it is refused. The longer, the more pages may wait.',
  },
  pageTokenKeys: {
    type: pageTokenKeys,
    secret: true,
    sentence:
      'The keys that encrypt page tokens: the first encrypts new tokens, and all of them can decrypt.',
  },
  pageTokenLifetimeSeconds: {
    type: wholeNumber(1, 604_800),
    default: '900',
    sentence:
      'How long a page token stays valid after its page was served; must be the same on all instances.',
  },
  oidcIssuer: {
    type: issuerUrl,
    default: '',
    togetherWith: 'oidc-audience',
    sentence:
      'The URL of the identity provider whose access tokens are accepted, exactly as in the iss claim of its tokens; if empty, only access tokens of Octavo are.',
  },
  oidcAudience: {
    type: plainText,
    default: '',
    togetherWith: 'oidc-issuer',
    sentence: 'The audience (aud claim) that access tokens of the identity provider must have.',
  },
  oidcGroupsClaim: {
    type: plainText,
    default: 'groups',
    sentence: 'The claim of an access token that lists the groups of its subject.',
  },
  snapshotRetentionSeconds: {
    type: wholeNumber(60, 31_536_000),
    default: '3600',
    sentence: 'How long a snapshot is kept, at least, after it stopped being the latest state.',
  },
  changesRetentionDays: {
    type: wholeNumber(2, 365),
    default: '7',
    sentence:
      'How long the changes of a type are kept, so that readers get what has changed since an earlier state.',
  },
  aggregateObjects: {
    type: wholeNumber(1, 4_000_000),
    default: '100000',
    sentence:
      'How many objects an aggregate may read; one that would read more is refused before it reads any.',
  },
  compression: {
    type: codings,
    default: 'zstd,br,gzip',
    sentence:
      'How answers may be compressed for clients that accept it, the preferred way first; use none behind a proxy that compresses.',
  },
  corsOrigins: {
    type: origins,
    default: '',
    sentence: 'The web origins whose pages may call the service from a browser; if empty, none may.',
  },
  explorer: {
    type: oneOf(['true', 'false']),
    default: 'true',
    sentence:
      'Whether browsers get the explorer at /, a page to look at objects with the rights of the person who signs in.',
  },
  explorerClientId: {
    type: plainText,
    default: '',
    togetherWith: 'oidc-issuer',
    sentence:
      'The client id of the explorer at the identity provider, as a public client with PKCE; if empty, people can sign in with an access token only.',
  },
  explorerScopes: {
    type: scopeNames,
    default: 'openid,api:ontologies-read',
    sentence: 'The scopes that the explorer asks the identity provider for.',
  },
  officialClients: {
    type: oneOf(['true', 'false']),
    default: 'true',
    sentence: 'Whether revision v2 is served, which the official clients of the API family use.',
  },
  subscriptions: {
    type: oneOf(['true', 'false']),
    default: 'false',
    sentence:
      'Whether the official clients may subscribe to object sets: each subscriber keeps a web socket open.',
  },
  mcp: {
    type: oneOf(['true', 'false']),
    default: 'true',
    sentence: 'Whether agents get the tools of the Model Context Protocol at /mcp.',
  },
  oauthRedirectUris: {
    type: redirectUris,
    default: '',
    togetherWith: 'oauth-public-url',
    sentence:
      'The addresses of apps to which people may return after signing in with @osdk/oauth; if empty, that sign-in is not served.',
  },
  oauthPublicUrl: {
    type: issuerUrl,
    default: '',
    togetherWith: 'oidc-issuer',
    sentence:
      'The address of the service as browsers see it; the identity provider sends people who sign in back to /multipass/api/oauth2/callback there.',
  },
  oauthScopes: {
    type: scopeNames,
    default: 'openid,api:ontologies-read',
    sentence:
      'The scopes that the service asks the identity provider for on behalf of apps with @osdk/oauth, whatever the apps ask for; offline_access is added if an app asks for it.',
  },
  tlsCertificateFile: {
    type: filePath,
    default: '',
    togetherWith: 'tls-key-file',
    sentence:
      'The certificate chain for HTTPS, as PEM; reloaded whenever it changes. If empty, the service speaks plain HTTP, for use behind a proxy.',
  },
  tlsKeyFile: {
    type: filePath,
    default: '',
    togetherWith: 'tls-certificate-file',
    sentence: 'The private key of the certificate, as PEM; reloaded whenever it changes.',
  },
  trustedProxyHops: {
    type: wholeNumber(0, 10),
    default: '0',
    sentence:
      'How many trusted proxies are in front of the service; each must append the address of its client to X-Forwarded-For.',
  },
  maxConnections: {
    type: wholeNumber(1, 1_000_000),
    default: '10000',
    sentence: 'The maximum number of client connections at a time; further ones are closed at once.',
  },
  rateLimitPerSecond: {
    type: wholeNumber(0, 1_000_000),
    default: '0',
    sentence:
      'How many requests per second, on average, each caller may send to one process; 0 means no limit.',
  },
  rateLimitBurst: {
    type: wholeNumber(1, 1_000_000),
    default: '100',
    sentence:
      'How many requests a caller may send at once after a quiet period; used only with a rate limit.',
  },
  auditRetentionDays: {
    type: wholeNumber(0, 36_500),
    default: '90',
    sentence:
      'How many days the audit table keeps its rows; with 0, nothing is written to it, and the audit is in the log only.',
  },
  logLevel: {
    type: oneOf(logLevels),
    default: 'info',
    sentence: 'The lowest level of messages that are logged.',
  },
  logFormat: {
    type: oneOf(['auto', 'people', 'json']),
    default: 'auto',
    sentence:
      'How the log is written: people is for people, json is one JSON object per line, auto is people on a terminal and json elsewhere.',
  },
  metricsPort: {
    type: wholeNumberOrOff(0, 65_535),
    default: 'off',
    sentence:
      'The port to serve Prometheus metrics on, at /metrics, without authentication; 0 picks any free port, off serves none.',
  },
  metricsHost: {
    type: hostName,
    default: '127.0.0.1',
    sentence: 'The address to serve metrics on; 0.0.0.0 means every address of the machine.',
  },
  otlpUrl: {
    type: collectorUrl,
    default: '',
    sentence:
      'The OpenTelemetry collector to which a trace of every request is sent; if empty, none is sent.',
  },
  stopDelaySeconds: {
    type: wholeNumber(0, 600),
    default: '0',
    sentence:
      'How long the service still accepts requests after SIGTERM while /health/ready already fails, so that load balancers notice.',
  },
  stopGraceSeconds: {
    type: wholeNumber(0, 3_600),
    default: '10',
    sentence: 'How long requests in progress may take to finish once new ones are no longer accepted.',
  },
})

export type ServeOptions = ValuesOf<typeof serveOptions>

export const migrateOptions = {
  databaseUrl: serveOptions.databaseUrl,
  logLevel: serveOptions.logLevel,
  logFormat: serveOptions.logFormat,
} satisfies OptionTable
