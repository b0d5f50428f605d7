import { expect, it } from 'vitest'
import { helpText } from './help-text.ts'

it('--help lists every option with its names, meaning and default', () => {
  expect(helpText()).toMatchInlineSnapshot(`
    "Usage: octavo-service [options]           serve
           octavo-service migrate [options]   bring the database up to date, then end

    Options (migrate takes --database-url and --log-level):

      --host <value>, OCTAVO_HOST
          The address to listen on; 0.0.0.0 is every address of the machine.
          Must be an IP address or a host name.
          Default: 127.0.0.1

      --port <value>, OCTAVO_PORT
          The port to listen on; 0 takes any free one.
          Must be a whole number from 0 to 65535.
          Default: 8080

      --workers <value>, OCTAVO_WORKERS
          How many processes serve the port; each has its own memory, database-pool-size, max-connections and rate limits.
          Must be a whole number from 1 to 256.
          Default: 1

      --database-url <value>, OCTAVO_DATABASE_URL
          The PostgreSQL database that holds everything; of several hosts (one:5432,two:5432) the primary is used.
          Must be the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name.
          Required.

      --database-replica-urls <value>, OCTAVO_DATABASE_REPLICA_URLS
          Standbys of the database that snapshot pages may be read from once they have reached the version; empty reads all from the primary.
          Must be a comma list of URLs of PostgreSQL databases.
          Default: empty

      --database-pooling <value>, OCTAVO_DATABASE_POOLING
          Whether a connection to the database is one session (also PgBouncer in session mode) or another one for each transaction (PgBouncer in transaction mode).
          Must be one of session, transaction.
          Default: session

      --database-pool-size <value>, OCTAVO_DATABASE_POOL_SIZE
          The most connections to the database that one process keeps open; with workers, each of them has so many.
          Must be a whole number from 1 to 1000.
          Default: 10

      --statement-timeout-seconds <value>, OCTAVO_STATEMENT_TIMEOUT_SECONDS
          How long one statement may run in the database before it is given up.
          Must be a whole number from 1 to 3600.
          Default: 30

      --batch-timeout-seconds <value>, OCTAVO_BATCH_TIMEOUT_SECONDS
          How long a batch may take to arrive before it is refused and what was staged of it is deleted.
          Must be a whole number from 1 to 86400.
          Default: 3600

      --request-timeout-seconds <value>, OCTAVO_REQUEST_TIMEOUT_SECONDS
          How long the service works on one page, all its statements together, before it is given up.
          Must be a whole number from 1 to 3600.
          Default: 60

      --queue-milliseconds <value>, OCTAVO_QUEUE_MILLISECONDS
          How long a page may have to wait for its turn at the database; one that would wait longer is refused at once.
          Must be a whole number from 1 to 3600000.
          Default: 75

      OCTAVO_PAGE_TOKEN_KEYS
          The keys of page tokens: the first seals new tokens, all of them open tokens already given out.
          Must be a comma list of id:key, each key 32 random bytes as base64url (43 characters), each id used once.
          Required; a secret, so there is no flag for it.

      --page-token-lifetime-seconds <value>, OCTAVO_PAGE_TOKEN_LIFETIME_SECONDS
          How long a page token is accepted after the page that carried it; the same on all instances.
          Must be a whole number from 1 to 604800.
          Default: 900

      --oidc-issuer <value>, OCTAVO_OIDC_ISSUER
          The identity provider whose access tokens are accepted, exactly as its tokens name it; empty accepts none.
          Must be an https URL without a query (http on this machine only), such as https://login.example.com.
          Default: empty

      --oidc-audience <value>, OCTAVO_OIDC_AUDIENCE
          What the audience of an access token of the identity provider must be.
          Must be a text without spaces.
          Default: empty

      --oidc-groups-claim <value>, OCTAVO_OIDC_GROUPS_CLAIM
          The claim of an access token that lists the groups of its subject.
          Must be a text without spaces.
          Default: groups

      --snapshot-retention-seconds <value>, OCTAVO_SNAPSHOT_RETENTION_SECONDS
          How long a snapshot is kept, at the least, after it stopped being the latest state.
          Must be a whole number from 60 to 31536000.
          Default: 3600

      --cors-origins <value>, OCTAVO_CORS_ORIGINS
          The web origins whose pages may call the service from a browser; empty allows none.
          Must be a comma list of web origins, such as https://app.example.com,http://localhost:5173.
          Default: empty

      --tls-certificate-file <value>, OCTAVO_TLS_CERTIFICATE_FILE
          The certificate chain for HTTPS, as PEM; read again whenever it changes. Empty serves HTTP, for a proxy in front.
          Must be the path of a file.
          Default: empty

      --tls-key-file <value>, OCTAVO_TLS_KEY_FILE
          The private key of the certificate, as PEM; read again whenever it changes.
          Must be the path of a file.
          Default: empty

      --trusted-proxy-hops <value>, OCTAVO_TRUSTED_PROXY_HOPS
          How many proxies stand in front, each of which adds the address of its client to X-Forwarded-For.
          Must be a whole number from 0 to 10.
          Default: 0

      --max-connections <value>, OCTAVO_MAX_CONNECTIONS
          The most connections of clients at a time; further ones are closed at once.
          Must be a whole number from 1 to 1000000.
          Default: 10000

      --rate-limit-per-second <value>, OCTAVO_RATE_LIMIT_PER_SECOND
          How many requests a second each caller may send to one process in the long run; 0 is no limit.
          Must be a whole number from 0 to 1000000.
          Default: 0

      --rate-limit-burst <value>, OCTAVO_RATE_LIMIT_BURST
          How many requests a caller that was quiet may send at once, where there is a rate limit.
          Must be a whole number from 1 to 1000000.
          Default: 100

      --failed-authentications-per-minute <value>, OCTAVO_FAILED_AUTHENTICATIONS_PER_MINUTE
          How many refused credentials one address may send in a minute before further ones are looked up and answered later; 0 is no limit.
          Must be a whole number from 0 to 1000000.
          Default: 10

      --audit-retention-days <value>, OCTAVO_AUDIT_RETENTION_DAYS
          How long the table of who read and changed what keeps its rows; 0 writes none, and leaves it to the log.
          Must be a whole number from 0 to 36500.
          Default: 90

      --log-level <value>, OCTAVO_LOG_LEVEL
          The least important messages that are still logged.
          Must be one of trace, debug, info, warn, error, fatal, silent.
          Default: info

      --metrics-port <value>, OCTAVO_METRICS_PORT
          The port to serve Prometheus metrics on, at /metrics, to whoever reaches it; 0 takes any free one, off serves none.
          Must be a whole number from 0 to 65535, or off.
          Default: off

      --metrics-host <value>, OCTAVO_METRICS_HOST
          The address to serve metrics on; 0.0.0.0 is every address of the machine.
          Must be an IP address or a host name.
          Default: 127.0.0.1

      --otlp-url <value>, OCTAVO_OTLP_URL
          The collector of OpenTelemetry to send a trace of every request to; empty sends none.
          Must be the http or https URL of an OTLP/HTTP receiver, without /v1/traces, such as http://localhost:4318.
          Default: empty

      --stop-delay-seconds <value>, OCTAVO_STOP_DELAY_SECONDS
          How long requests are still taken after SIGTERM while /health/ready says no: the time that a load balancer needs to notice.
          Must be a whole number from 0 to 600.
          Default: 0

      --stop-grace-seconds <value>, OCTAVO_STOP_GRACE_SECONDS
          How long requests in progress may take to finish once no further ones are taken.
          Must be a whole number from 0 to 3600.
          Default: 10
    "
  `)
})
