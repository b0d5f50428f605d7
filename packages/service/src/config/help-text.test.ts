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

      --database-url <value>, OCTAVO_DATABASE_URL
          The PostgreSQL database that holds everything.
          Must be the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name.
          Required.

      --database-pool-size <value>, OCTAVO_DATABASE_POOL_SIZE
          The most connections to the database that one process keeps open.
          Must be a whole number from 1 to 1000.
          Default: 10

      --statement-timeout-seconds <value>, OCTAVO_STATEMENT_TIMEOUT_SECONDS
          How long one statement may run in the database before it is given up.
          Must be a whole number from 1 to 3600.
          Default: 30

      OCTAVO_PAGE_TOKEN_KEYS
          The keys of page tokens: the first seals new tokens, all of them open tokens already given out.
          Must be a comma list of id:key, each key 32 random bytes as base64url (43 characters), each id used once.
          Required; a secret, so there is no flag for it.

      OCTAVO_STATIC_TOKEN
          The bearer token that every caller presents.
          Must be a text of at least 16 characters without spaces.
          Required; a secret, so there is no flag for it.

      --snapshot-retention-seconds <value>, OCTAVO_SNAPSHOT_RETENTION_SECONDS
          How long a snapshot stays readable after it was captured.
          Must be a whole number from 60 to 31536000.
          Default: 3600

      --cors-origins <value>, OCTAVO_CORS_ORIGINS
          The web origins whose pages may call the service from a browser; empty allows none.
          Must be a comma list of web origins, such as https://app.example.com,http://localhost:5173.
          Default: empty

      --log-level <value>, OCTAVO_LOG_LEVEL
          The least important messages that are still logged.
          Must be one of trace, debug, info, warn, error, fatal, silent.
          Default: info

      --stop-grace-seconds <value>, OCTAVO_STOP_GRACE_SECONDS
          How long requests in progress may take to finish once the service is told to stop.
          Must be a whole number from 0 to 3600.
          Default: 10
    "
  `)
})
