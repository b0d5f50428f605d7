import type { Mistake, Mistakes } from './mistake.ts'

const databaseUrl = '--database-url postgres://127.0.0.1:1/octavo'
const none = { OCTAVO_URL: undefined, OCTAVO_TOKEN: undefined, OCTAVO_ONTOLOGY: undefined }
const environment = { ...none, OCTAVO_PAGE_TOKEN_KEYS: `k1:${'A'.repeat(43)}` }

/** The service prints what is wrong by itself, so these run in a process of their own. */
const serve = (flags = databaseUrl): Pick<Mistake, 'typed' | 'isProgram' | 'environment'> => ({
  typed: `serve ${flags}`,
  isProgram: true,
  environment,
})

export const running: Mistakes = {
  'no database and no key': {
    ...serve(''),
    environment: none,
    says: [
      'database-url is missing: set OCTAVO_DATABASE_URL',
      'page-token-keys is missing: set OCTAVO_PAGE_TOKEN_KEYS',
    ],
  },
  'a key that is too short': {
    ...serve(),
    environment: { ...none, OCTAVO_PAGE_TOKEN_KEYS: 'k1:secret' },
    says: ['OCTAVO_PAGE_TOKEN_KEYS must be', '32 random bytes as base64url (43 characters)'],
  },
  'a name of a variable that is cut short': {
    ...serve(),
    environment: { ...environment, OCTAVO_TLS_CERT: '/tls/cert.pem' },
    says: ['Unknown environment variable OCTAVO_TLS_CERT', 'did you mean OCTAVO_TLS_CERTIFICATE_FILE?'],
  },
  'a misspelled variable': {
    ...serve(),
    environment: { ...environment, OCTAVO_DATABASE_POOLSIZE: '5' },
    says: ['did you mean OCTAVO_DATABASE_POOL_SIZE?'],
  },
  'a certificate without its key': {
    ...serve(),
    environment: { ...environment, OCTAVO_TLS_CERTIFICATE_FILE: '/tls/cert.pem' },
    says: ['tls-certificate-file is set without tls-key-file', 'set both or neither'],
  },
  'the url of a service for that of a database': {
    ...serve('--database-url http://127.0.0.1:8080'),
    says: ['--database-url must be the URL of a PostgreSQL database, such as postgres://'],
  },
  'a port in words': {
    ...serve(`${databaseUrl} --port http`),
    says: ['--port must be a whole number from 0 to 65535', '"http"'],
  },
  'a misspelled option of the service': {
    ...serve('--databse-url postgres://127.0.0.1/octavo'),
    says: ["unknown option '--databse-url'", 'Did you mean --database-url?'],
  },
  'a migration of a database that does not run': {
    typed: `migrate ${databaseUrl}`,
    isProgram: true,
    environment: none,
    refusedWith: ['The database was not migrated', 'run migrate again', 'ECONNREFUSED 127.0.0.1:1'],
  },
  'a bootstrap without a database': {
    typed: 'bootstrap',
    environment: none,
    says: ['Which database? Set OCTAVO_DATABASE_URL', 'postgres://'],
  },
  'a bootstrap of another kind of database': {
    typed: 'bootstrap --database-url mysql://127.0.0.1/octavo',
    environment: none,
    says: ['must be of the form postgres://', '--database-url or OCTAVO_DATABASE_URL'],
  },
  'a bootstrap of a database that does not run': {
    typed: `bootstrap ${databaseUrl}`,
    environment: none,
    refusedWith: ['The database was not migrated', 'check that it runs', 'Nothing was changed'],
  },
  'a folder for the options of the service': {
    typed: 'bootstrap --options-file options',
    files: { 'options/': '' },
    environment: none,
    says: ['options is a folder', 'give the name of a file'],
  },
  'a port that is in use': {
    typed: 'dev --port $PORT',
    refusedWith: ['is in use: stop what uses it, or choose another with --port'],
  },
  'a token of a database that does not run': {
    typed: `token list ${databaseUrl}`,
    environment: none,
    refusedWith: ['check that it runs'],
  },
  'the nodes of a database that does not run': {
    typed: `status ${databaseUrl}`,
    environment: none,
    refusedWith: ['check that it runs, and its URL and user'],
  },
  'an agent without a service': {
    typed: 'mcp',
    environment: none,
    says: ['The url is missing', 'octavo login'],
  },
}
