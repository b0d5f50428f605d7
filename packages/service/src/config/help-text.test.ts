import { expect, it } from 'vitest'
import { helpText } from './help-text.ts'

it('--help lists every option with its names, meaning and default', () => {
  expect(helpText()).toMatchInlineSnapshot(`
    "Usage: octavo-service [options]           serve
           octavo-service migrate [options]   bring the database up to date, then exit

    Options (migrate takes --database-url, --log-level and --log-format):

      --host <value>, OCTAVO_HOST
          The address to listen on; 0.0.0.0 means every address of the machine.
          Must be an IP address or a host name.
          Default: 127.0.0.1

      --port <value>, OCTAVO_PORT
          The port to listen on; 0 picks any free port.
          Must be a whole number from 0 to 65535.
          Default: 8080

      --workers <value>, OCTAVO_WORKERS
          How many processes serve the port; each has its own memory, and database-pool-size, max-connections and rate limits apply to each.
          Must be a whole number from 1 to 256.
          Default: 1

      --database-url <value>, OCTAVO_DATABASE_URL
          The PostgreSQL database that holds everything; if it names several hosts (one:5432,two:5432), the primary is used.
          Must be the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name.
          Required.

      --database-replica-urls <value>, OCTAVO_DATABASE_REPLICA_URLS
          Standbys of the database, which serve snapshot pages once they have replayed the version; if empty, the primary serves every page.
          Must be a comma-separated list of URLs of PostgreSQL databases.
          Default: empty

      --database-pooling <value>, OCTAVO_DATABASE_POOLING
          How the database is reached: session if directly or through PgBouncer in session mode, transaction if through PgBouncer in transaction mode.
          Must be one of session, transaction.
          Default: session

      --database-routing <value>, OCTAVO_DATABASE_ROUTING
          On a Citus cluster: whether the service connects to the nodes that hold the ontologies, or to the coordinator only, where the nodes cannot be reached from here.
          Must be one of direct, coordinator.
          Default: direct

      --database-pool-size <value>, OCTAVO_DATABASE_POOL_SIZE
          The maximum number of database connections of one process; with several workers, each may open this many.
          Must be a whole number from 1 to 1000.
          Default: 10

      --statement-timeout-seconds <value>, OCTAVO_STATEMENT_TIMEOUT_SECONDS
          How long one statement may run in the database before it is cancelled.
          Must be a whole number from 1 to 3600.
          Default: 30

      --batch-timeout-seconds <value>, OCTAVO_BATCH_TIMEOUT_SECONDS
          How long a batch may take to arrive; after that it is refused, and what was staged of it is deleted.
          Must be a whole number from 1 to 86400.
          Default: 3600

      --request-timeout-seconds <value>, OCTAVO_REQUEST_TIMEOUT_SECONDS
          How long the service may work on one page, all statements together, before it gives up.
          Must be a whole number from 1 to 3600.
          Default: 60

      --queue-milliseconds <value>, OCTAVO_QUEUE_MILLISECONDS
          How long a page may wait in the queue for the database before it is refused. The longer, the more pages may wait.
          Must be a whole number from 1 to 3600000.
          Default: 75

      OCTAVO_PAGE_TOKEN_KEYS
          The keys that encrypt page tokens: the first encrypts new tokens, and all of them can decrypt.
          Must be a comma-separated list of id:key, each key 32 random bytes as base64url (43 characters), each id used once.
          Required; it is a secret, so it has no flag.

      --page-token-lifetime-seconds <value>, OCTAVO_PAGE_TOKEN_LIFETIME_SECONDS
          How long a page token stays valid after its page was served; must be the same on all instances.
          Must be a whole number from 1 to 604800.
          Default: 900

      --oidc-issuer <value>, OCTAVO_OIDC_ISSUER
          The identity provider whose access tokens are accepted, exactly as in the iss claim of its tokens; if empty, none are.
          Must be an https URL without a query (http on this machine only), such as https://login.example.com.
          Default: empty

      --oidc-audience <value>, OCTAVO_OIDC_AUDIENCE
          The audience (aud claim) that access tokens of the identity provider must have.
          Must be text without spaces.
          Default: empty

      --oidc-groups-claim <value>, OCTAVO_OIDC_GROUPS_CLAIM
          The claim of an access token that lists the groups of its subject.
          Must be text without spaces.
          Default: groups

      --snapshot-retention-seconds <value>, OCTAVO_SNAPSHOT_RETENTION_SECONDS
          How long, at least, a snapshot is kept after it stopped being the latest state.
          Must be a whole number from 60 to 31536000.
          Default: 3600

      --changes-retention-days <value>, OCTAVO_CHANGES_RETENTION_DAYS
          How long it is known which objects have changed since a state.
          Must be a whole number from 2 to 365.
          Default: 7

      --aggregate-objects <value>, OCTAVO_AGGREGATE_OBJECTS
          How many objects an aggregate may read; one that would read more is refused before it reads any.
          Must be a whole number from 1 to 4000000.
          Default: 100000

      --compression <value>, OCTAVO_COMPRESSION
          How answers may be compressed, the preferred way first, for clients that accept it; none for a service behind a proxy that compresses.
          Must be a comma-separated list of zstd, br, gzip, or none.
          Default: zstd,br,gzip

      --cors-origins <value>, OCTAVO_CORS_ORIGINS
          The web origins whose pages may call the service from a browser; if empty, none may.
          Must be a comma-separated list of web origins, such as https://app.example.com,http://localhost:5173; loopback stands for every origin of this machine.
          Default: empty

      --explorer <value>, OCTAVO_EXPLORER
          Whether a browser gets the explorer at /: a page to look at objects, with the rights of whoever signs in.
          Must be one of true, false.
          Default: true

      --explorer-client-id <value>, OCTAVO_EXPLORER_CLIENT_ID
          The client id of the explorer at the identity provider, where it is a public client with PKCE; if empty, people sign in with an access token only.
          Must be text without spaces.
          Default: empty

      --explorer-scopes <value>, OCTAVO_EXPLORER_SCOPES
          The scopes that the explorer asks the identity provider for.
          Must be a comma-separated list of scopes.
          Default: openid,api:ontologies-read

      --official-clients <value>, OCTAVO_OFFICIAL_CLIENTS
          Whether the addresses of revision v2 are served, which the official clients of the API family use.
          Must be one of true, false.
          Default: true

      --subscriptions <value>, OCTAVO_SUBSCRIPTIONS
          Whether the official clients may subscribe to object sets: each subscriber keeps a web socket open.
          Must be one of true, false.
          Default: false

      --mcp <value>, OCTAVO_MCP
          Whether agents get the tools of the Model Context Protocol at /mcp.
          Must be one of true, false.
          Default: true

      --oauth-redirect-uris <value>, OCTAVO_OAUTH_REDIRECT_URIS
          The addresses of apps to which people may return after they have signed in through @osdk/oauth; if empty, that sign-in is not served.
          Must be a comma-separated list of whole https URLs without a fragment (http on this machine only), such as https://app.example.com/auth/callback.
          Default: empty

      --oauth-public-url <value>, OCTAVO_OAUTH_PUBLIC_URL
          The address of the service as browsers see it; the identity provider sends people who sign in back to /multipass/api/oauth2/callback there.
          Must be an https URL without a query (http on this machine only), such as https://login.example.com.
          Default: empty

      --oauth-scopes <value>, OCTAVO_OAUTH_SCOPES
          The scopes that the identity provider is asked for on behalf of apps with @osdk/oauth, whatever they ask for; offline_access is added for those that ask for it.
          Must be a comma-separated list of scopes.
          Default: openid,api:ontologies-read

      --tls-certificate-file <value>, OCTAVO_TLS_CERTIFICATE_FILE
          The certificate chain for HTTPS, as PEM; reloaded whenever it changes. If empty, the service speaks plain HTTP, for use behind a proxy.
          Must be the path of a file.
          Default: empty

      --tls-key-file <value>, OCTAVO_TLS_KEY_FILE
          The private key of the certificate, as PEM; reloaded whenever it changes.
          Must be the path of a file.
          Default: empty

      --trusted-proxy-hops <value>, OCTAVO_TRUSTED_PROXY_HOPS
          How many trusted proxies are in front of the service; each must append the address of its client to X-Forwarded-For.
          Must be a whole number from 0 to 10.
          Default: 0

      --max-connections <value>, OCTAVO_MAX_CONNECTIONS
          The maximum number of client connections at a time; further ones are closed at once.
          Must be a whole number from 1 to 1000000.
          Default: 10000

      --rate-limit-per-second <value>, OCTAVO_RATE_LIMIT_PER_SECOND
          How many requests per second, on average, each caller may send to one process; 0 means no limit.
          Must be a whole number from 0 to 1000000.
          Default: 0

      --rate-limit-burst <value>, OCTAVO_RATE_LIMIT_BURST
          How many requests a caller may send at once after a quiet period; used only with a rate limit.
          Must be a whole number from 1 to 1000000.
          Default: 100

      --audit-retention-days <value>, OCTAVO_AUDIT_RETENTION_DAYS
          How many days the audit table keeps its rows; with 0 nothing is written to it, and the audit is only in the log.
          Must be a whole number from 0 to 36500.
          Default: 90

      --log-level <value>, OCTAVO_LOG_LEVEL
          The lowest level of messages that are logged.
          Must be one of trace, debug, info, warn, error, fatal, silent.
          Default: info

      --log-format <value>, OCTAVO_LOG_FORMAT
          How the log is written: for people, or as one JSON object per line; auto is people on a terminal, and json elsewhere.
          Must be one of auto, people, json.
          Default: auto

      --metrics-port <value>, OCTAVO_METRICS_PORT
          The port to serve Prometheus metrics on, at /metrics, without authentication; 0 picks any free port, off serves none.
          Must be a whole number from 0 to 65535, or off.
          Default: off

      --metrics-host <value>, OCTAVO_METRICS_HOST
          The address to serve metrics on; 0.0.0.0 means every address of the machine.
          Must be an IP address or a host name.
          Default: 127.0.0.1

      --otlp-url <value>, OCTAVO_OTLP_URL
          The OpenTelemetry collector to which a trace of every request is sent; if empty, none are.
          Must be the http or https URL of an OTLP/HTTP receiver, without /v1/traces, such as http://localhost:4318.
          Default: empty

      --stop-delay-seconds <value>, OCTAVO_STOP_DELAY_SECONDS
          How long the service still accepts requests after SIGTERM while /health/ready already fails, so that load balancers notice.
          Must be a whole number from 0 to 600.
          Default: 0

      --stop-grace-seconds <value>, OCTAVO_STOP_GRACE_SECONDS
          How long requests in progress may take to finish once new ones are no longer accepted.
          Must be a whole number from 0 to 3600.
          Default: 10
    "
  `)
})
