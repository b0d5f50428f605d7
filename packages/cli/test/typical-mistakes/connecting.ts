import type { Mistake } from './mistake.ts'

const list = 'list flight'

export const connecting: readonly Mistake[] = [
  {
    mistake: 'no service runs there',
    typed: 'status --url $NO_SERVER',
    says: ['No answer from http', 'connection refused', 'octavo serve starts one', '--url'],
    exitCode: 1,
  },
  {
    mistake: 'the host does not exist',
    typed: 'status --url http://octavo.invalid',
    says: ['No answer from http://octavo.invalid', '--url'],
    exitCode: 1,
  },
  {
    mistake: 'no url is set',
    typed: list,
    environment: { OCTAVO_URL: undefined },
    says: ['The url is missing', '--url URL', 'OCTAVO_URL', 'octavo login'],
  },
  {
    mistake: 'no token is set',
    typed: list,
    environment: { OCTAVO_TOKEN: '' },
    says: ['The token is missing', '--token TOKEN', 'OCTAVO_TOKEN', 'octavo login'],
  },
  {
    mistake: 'https instead of http',
    typed: `${list} --url $HTTPS_URL`,
    says: ['speaks HTTP and not HTTPS', 'use http://127.0.0.1:'],
    exitCode: 1,
  },
  {
    mistake: 'a url without http',
    typed: `${list} --url 127.0.0.1:8080`,
    says: ['must be of the form http://HOST:PORT', '"127.0.0.1:8080"'],
  },
  {
    mistake: 'a port that does not exist',
    typed: `${list} --url http://127.0.0.1:80800`,
    says: ['must be of the form http://HOST:PORT', '80800'],
  },
  {
    mistake: 'a url that was copied from an example of the API',
    typed: `${list} --url $URL/api/v1`,
    says: ['has no path /api/v1', 'give the url without it, as http://127.0.0.1:'],
    exitCode: 1,
  },
  {
    mistake: 'a url with a query',
    typed: `${list} --url $URL/?type=flight`,
    says: ['must not have a user name, a query or a fragment', 'remove'],
  },
  {
    mistake: 'a url with a user name and a password',
    typed: `${list} --url http://ada:hush@127.0.0.1:8080`,
    says: ['must not have a user name', 'remove'],
  },
  {
    mistake: 'another server has that port',
    typed: `${list} --url $OTHER_SERVER`,
    says: ['answered 404, but not as Octavo does', 'check the url', 'nginx'],
    exitCode: 1,
  },
  {
    mistake: 'a token of another service',
    typed: `${list} --token oct_wrongwrongwrongwrongwrongwrongwrongwrongwro`,
    says: ['refused the token', 'Ask for a new one', 'octavo login'],
    exitCode: 1,
  },
  {
    mistake: 'a token that was revoked',
    typed: `${list} --token $REVOKED`,
    says: ['expired, revoked', 'Ask for a new one', 'octavo login'],
    exitCode: 1,
  },
  {
    mistake: 'a token with a line break from a file',
    typed: list,
    environment: { OCTAVO_TOKEN: '$READER\n' },
    says: ['The token has a blank or a line break in it', 'give the token alone'],
  },
  {
    mistake: 'a token with its quotation marks',
    typed: list,
    environment: { OCTAVO_TOKEN: '"$READER"' },
    says: ['The token has the character "', 'without quotation marks'],
  },
  {
    mistake: 'a token with the word Bearer',
    typed: list,
    environment: { OCTAVO_TOKEN: 'Bearer $READER' },
    says: ['The token has a blank', 'without the word Bearer'],
  },
  {
    mistake: 'a token that was shortened where it was copied',
    typed: list,
    environment: { OCTAVO_TOKEN: 'oct_abc…' },
    says: ['The token has the character …', 'whole'],
  },
  {
    mistake: 'a reader loads',
    typed: 'load flight flights.csv',
    files: { 'flights.csv': 'id\nf1\n' },
    environment: { OCTAVO_TOKEN: '$READER' },
    says: ['Ask an owner of the ontology for the role writer'],
    exitCode: 1,
  },
  {
    mistake: 'a token without the scope for what is done',
    typed: list,
    environment: { OCTAVO_TOKEN: '$NO_READER' },
    says: ['Use a token with the scope api:ontologies-read'],
    exitCode: 1,
  },
  {
    mistake: 'somebody without a grant',
    typed: list,
    environment: { OCTAVO_TOKEN: '$STRANGER', OCTAVO_ONTOLOGY: undefined },
    says: ['You have no grant on any ontology', 'ask an owner for a grant'],
  },
  {
    mistake: 'an ontology by its title',
    typed: `${list} --ontology Air`,
    says: ['no ontology Air that you can see', 'did you mean air?'],
  },
]
