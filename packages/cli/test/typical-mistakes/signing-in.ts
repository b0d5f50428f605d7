import type { Mistake } from './mistake.ts'

const exitCode = 1

const profiles = (content: string, typed = 'list flight'): Omit<Mistake, 'mistake' | 'says'> => ({
  typed,
  files: { '.config/': '', '.config/octavo/': '', '.config/octavo/profiles.yaml': content },
  environment: { OCTAVO_URL: undefined, OCTAVO_TOKEN: undefined },
})

export const signingIn: readonly Mistake[] = [
  {
    mistake: 'a profile before there is one',
    typed: 'list flight --profile prod',
    says: ['no profile prod', 'Make one with octavo login'],
  },
  {
    mistake: 'a misspelled profile',
    ...profiles('profiles:\n  local: { url: http://127.0.0.1:8080 }\n', 'list flight --profile lcoal'),
    says: ['no profile lcoal', 'did you mean local?'],
  },
  {
    mistake: 'a default that is not there',
    ...profiles('default: prod\nprofiles:\n  local: { url: http://127.0.0.1:8080 }\n'),
    says: ['no profile prod', 'It has local'],
  },
  {
    mistake: 'broken YAML in the profiles',
    ...profiles('profiles: {\n'),
    says: ['profiles.yaml is not valid YAML', 'line 2, column 1'],
  },
  {
    mistake: 'a key that no profile has',
    ...profiles('profiles:\n  local: { uri: x }\n'),
    says: ['unknown key uri', 'the keys are url, token, ontology'],
  },
  {
    mistake: 'a token that others may read',
    ...profiles('profiles:\n  local: { token: oct_x }\n'),
    says: ['other users may read it', 'chmod 600'],
  },
  {
    mistake: 'another profile as the default',
    typed: 'profile use prod',
    says: ['no profile prod', 'octavo login'],
  },
  {
    mistake: 'a login without a url',
    typed: 'login',
    environment: { OCTAVO_URL: undefined },
    says: ['The url is missing', '--url URL'],
  },
  {
    mistake: 'a login without a token',
    typed: 'login',
    environment: { OCTAVO_TOKEN: undefined },
    says: ['The token is missing', 'OCTAVO_TOKEN', 'standard input'],
  },
  {
    mistake: 'a login with a wrong token',
    typed: 'login',
    input: '$REVOKED',
    environment: { OCTAVO_TOKEN: 'oct_wrong' },
    says: ['refused the token', 'Ask for a new one'],
    exitCode,
  },
  {
    mistake: 'a login to another server',
    typed: 'login --url $OTHER_SERVER',
    says: ['not as Octavo does', 'check the url'],
    exitCode,
  },
  {
    mistake: 'a name that no profile can have',
    typed: 'login --profile a/b',
    says: ['The name of a profile must be of letters, digits'],
  },
  {
    mistake: 'a scope that does not exist',
    typed: 'token create --subject ada --scope admin',
    says: ['admin', 'api:ontologies-read, api:ontologies-write'],
  },
  {
    mistake: 'a token without a scope',
    typed: 'token create --subject ada',
    says: ['--scope is missing', 'api:ontologies-read'],
  },
  {
    mistake: 'a token without a subject',
    typed: 'token create --scope api:ontologies-read',
    says: ["required option '--subject <NAME>'"],
  },
  {
    mistake: 'an expiry in words',
    typed: 'token create --subject ada --scope api:ontologies-read --expires tomorrow',
    says: ['tomorrow', 'such as 90s, 15m, 12h or 30d'],
  },
  {
    mistake: 'the revocation of a token that is not there',
    typed: 'token revoke 00000000-0000-4000-8000-000000000000',
    says: ['no access token with this id', 'octavo token list'],
    exitCode,
  },
  {
    mistake: 'the revocation of a token by itself',
    typed: 'token revoke oct_abc',
    says: ['id'],
    exitCode,
  },
  {
    mistake: 'a token by somebody who may make none',
    typed: 'token create --subject ada --scope api:ontologies-read',
    environment: { OCTAVO_TOKEN: '$READER' },
    says: ['Use a token with the scope api:tokens-admin'],
    exitCode,
  },
  {
    mistake: 'a role that does not exist',
    typed: 'grant add --subject ada --role admin',
    says: ['admin', 'reader, writer, owner'],
  },
  {
    mistake: 'a grant to nobody',
    typed: 'grant add --role reader',
    says: ['either --subject or --group'],
  },
  {
    mistake: 'a grant on a misspelled ontology',
    typed: 'grant add --subject ada --role reader --ontology ari',
    says: ['no ontology ari', 'air'],
  },
  {
    mistake: 'the removal of a grant that is not there',
    typed: 'grant remove --subject nobody',
    says: ['There is no such grant', 'octavo grant list'],
    exitCode,
  },
  {
    mistake: 'a grant by a reader',
    typed: 'grant add --subject ada --role reader',
    environment: { OCTAVO_TOKEN: '$READER' },
    says: ['scope api:ontologies-admin'],
    exitCode,
  },
]
