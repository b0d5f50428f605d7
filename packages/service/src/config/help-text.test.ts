import { expect, it } from 'vitest'
import { helpText } from './help-text.ts'
import { environmentVariableOf, serveOptions } from './options.ts'

// How each of them reads is in docs/reference/options.md, which is made from the same table.
it('--help lists every option, once', () => {
  const listed = helpText().match(/OCTAVO_\w+$/gm)
  expect(listed).toEqual(Object.values(serveOptions).map(environmentVariableOf))
})

it('an entry has the names of an option, its meaning and its default; a secret has no flag', () => {
  const [usage, heading, ...entries] = helpText().split('\n\n')
  const shown = ['HOST', 'DATABASE_URL', 'DATABASE_REPLICA_URLS', 'PAGE_TOKEN_KEYS'].map((name) =>
    entries.find((entry) => entry.split('\n', 1)[0]?.endsWith(`OCTAVO_${name}`)),
  )
  expect([usage, heading, ...shown].join('\n\n')).toMatchInlineSnapshot(`
    "Usage: octavo-service [options]           serve
           octavo-service migrate [options]   bring the database up to date, then exit

    Options (migrate takes --database-url, --log-level and --log-format):

      --host <value>, OCTAVO_HOST
          The address to listen on; 0.0.0.0 means every address of the machine.
          Must be an IP address or a host name.
          Default: 127.0.0.1

      --database-url <value>, OCTAVO_DATABASE_URL
          The PostgreSQL database that holds everything; if it names several hosts (one:5432,two:5432), the primary is used.
          Must be the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name.
          Required.

      --database-replica-urls <value>, OCTAVO_DATABASE_REPLICA_URLS
          Standbys of the database, which serve snapshot pages once they have replayed the version; if empty, the primary serves every page.
          Must be a comma-separated list of URLs of PostgreSQL databases.
          Default: empty

      OCTAVO_PAGE_TOKEN_KEYS
          The keys that encrypt page tokens: the first encrypts new tokens, and all of them can decrypt.
          Must be a comma-separated list of id:key, each key 32 random bytes as base64url (43 characters), each id used once.
          Required; it is a secret, so it has no flag."
  `)
})
