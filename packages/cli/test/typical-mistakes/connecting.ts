import type { Mistakes } from './mistake.ts'

const list = 'list flight'

export const connecting: Mistakes = {
  'no service runs there': {
    typed: 'status --url $NO_SERVER',
    refusedWith: ['No answer from http', 'connection refused', 'octavo serve starts one', '--url'],
  },
  'the host does not exist': {
    typed: 'status --url http://octavo.invalid',
    refusedWith: ['No answer from http://octavo.invalid', '--url'],
  },
  'no url is set': {
    typed: list,
    environment: { OCTAVO_URL: undefined },
    says: ['The url is missing', '--url URL', 'OCTAVO_URL', 'octavo login'],
  },
  'no token is set': {
    typed: list,
    environment: { OCTAVO_TOKEN: '' },
    says: ['The token is missing', '--token TOKEN', 'OCTAVO_TOKEN', 'octavo login'],
  },
  'https instead of http': {
    typed: `${list} --url $HTTPS_URL`,
    refusedWith: ['speaks HTTP and not HTTPS', 'use http://127.0.0.1:'],
  },
  'a url without http': {
    typed: `${list} --url 127.0.0.1:8080`,
    says: ['must be of the form http://HOST:PORT', '"127.0.0.1:8080"'],
  },
  'a port that does not exist': {
    typed: `${list} --url http://127.0.0.1:80800`,
    says: ['must be of the form http://HOST:PORT', '80800'],
  },
  'a url that was copied from an example of the API': {
    typed: `${list} --url $URL/api/v1`,
    refusedWith: ['has no path /api/v1', 'give the url without it, as http://127.0.0.1:'],
  },
  'a url with a query': {
    typed: `${list} --url $URL/?type=flight`,
    says: ['must not have a user name, a query or a fragment', 'remove'],
  },
  'a url with a user name and a password': {
    typed: `${list} --url http://ada:hush@127.0.0.1:8080`,
    says: ['must not have a user name', 'remove'],
  },
  'another server has that port': {
    typed: `${list} --url $OTHER_SERVER`,
    refusedWith: ['answered 404, but not as Octavo does', 'check the url', 'nginx'],
  },
  'a token of another service': {
    typed: `${list} --token oct_wrongwrongwrongwrongwrongwrongwrongwrongwro`,
    refusedWith: ['refused the token', 'Ask for a new one', 'octavo login'],
  },
  'a token that was revoked': {
    typed: `${list} --token $REVOKED`,
    refusedWith: ['expired, revoked', 'Ask for a new one', 'octavo login'],
  },
  'a token with a line break from a file': {
    typed: list,
    environment: { OCTAVO_TOKEN: '$READER\n' },
    says: ['The token has a blank or a line break in it', 'give the token alone'],
  },
  'a token with its quotation marks': {
    typed: list,
    environment: { OCTAVO_TOKEN: '"$READER"' },
    says: ['The token has the character "', 'without quotation marks'],
  },
  'a token with the word Bearer': {
    typed: list,
    environment: { OCTAVO_TOKEN: 'Bearer $READER' },
    says: ['The token has a blank', 'without the word Bearer'],
  },
  'a token that was shortened where it was copied': {
    typed: list,
    environment: { OCTAVO_TOKEN: 'oct_abc…' },
    says: ['The token has the character …', 'whole'],
  },
  'a reader loads': {
    typed: 'load flight flights.csv',
    files: { 'flights.csv': 'id\nf1\n' },
    environment: { OCTAVO_TOKEN: '$READER' },
    refusedWith: ['Ask an owner of the ontology for the role writer'],
  },
  'a token without the scope for what is done': {
    typed: list,
    environment: { OCTAVO_TOKEN: '$NO_READER' },
    refusedWith: ['Use a token with the scope api:ontologies-read'],
  },
  'somebody without a grant': {
    typed: list,
    environment: { OCTAVO_TOKEN: '$STRANGER', OCTAVO_ONTOLOGY: undefined },
    says: ['You have no grant on any ontology', 'ask an owner for a grant'],
  },
  'an ontology by its title': {
    typed: `${list} --ontology Air`,
    says: ['no ontology Air that you can see', 'did you mean air?'],
  },
}
