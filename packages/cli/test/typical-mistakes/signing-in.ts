import type { Mistake, Mistakes } from './mistake.ts'

const profiles = (
  content: string,
  typed = 'list flight',
): Pick<Mistake, 'typed' | 'files' | 'environment'> => ({
  typed,
  files: { '.config/': '', '.config/octavo/': '', '.config/octavo/profiles.yaml': content },
  environment: { OCTAVO_URL: undefined, OCTAVO_TOKEN: undefined },
})

export const signingIn: Mistakes = {
  'a profile before there is one': {
    typed: 'list flight --profile prod',
    says: ['no profile prod', 'Make one with octavo login'],
  },
  'a misspelled profile': {
    ...profiles('profiles:\n  local: { url: http://127.0.0.1:8080 }\n', 'list flight --profile lcoal'),
    says: ['no profile lcoal', 'did you mean local?'],
  },
  'a default that is not there': {
    ...profiles('default: prod\nprofiles:\n  local: { url: http://127.0.0.1:8080 }\n'),
    says: ['no profile prod', 'It has local'],
  },
  'broken YAML in the profiles': {
    ...profiles('profiles: {\n'),
    says: ['profiles.yaml is not valid YAML', 'line 2, column 1'],
  },
  'a key that no profile has': {
    ...profiles('profiles:\n  local: { uri: x }\n'),
    says: ['unknown key uri', 'the keys are url, token, ontology'],
  },
  'a token that others may read': {
    ...profiles('profiles:\n  local: { token: oct_x }\n'),
    says: ['other users may read it', 'chmod 600'],
  },
  'another profile as the default': { typed: 'profile use prod', says: ['no profile prod', 'octavo login'] },
  'a login without a url': {
    typed: 'login',
    environment: { OCTAVO_URL: undefined },
    says: ['The url is missing', '--url URL'],
  },
  'a login without a token': {
    typed: 'login',
    environment: { OCTAVO_TOKEN: undefined },
    says: ['The token is missing', 'OCTAVO_TOKEN', 'standard input'],
  },
  'a login with a wrong token': {
    typed: 'login',
    input: '$REVOKED',
    environment: { OCTAVO_TOKEN: 'oct_wrong' },
    refusedWith: ['refused the token', 'Ask for a new one'],
  },
  'a login to another server': {
    typed: 'login --url $OTHER_SERVER',
    refusedWith: ['not as Octavo does', 'check the url'],
  },
  'a name that no profile can have': {
    typed: 'login --profile a/b',
    says: ['The name of a profile must be of letters, digits'],
  },
  'a scope that does not exist': {
    typed: 'token create --subject ada --scope admin',
    says: ['admin', 'api:ontologies-read, api:ontologies-write'],
  },
  'a token without a scope': {
    typed: 'token create --subject ada',
    says: ['--scope is missing', 'api:ontologies-read'],
  },
  'a token without a subject': {
    typed: 'token create --scope api:ontologies-read',
    says: ["required option '--subject <NAME>'"],
  },
  'an expiry in words': {
    typed: 'token create --subject ada --scope api:ontologies-read --expires tomorrow',
    says: ['tomorrow', 'such as 90s, 15m, 12h or 30d'],
  },
  'the revocation of a token that is not there': {
    typed: 'token revoke 00000000-0000-4000-8000-000000000000',
    refusedWith: ['no access token with this id', 'octavo token list'],
  },
  'the revocation of a token by itself': { typed: 'token revoke oct_abc', refusedWith: ['id'] },
  'a token by somebody who may make none': {
    typed: 'token create --subject ada --scope api:ontologies-read',
    environment: { OCTAVO_TOKEN: '$READER' },
    refusedWith: ['Use a token with the scope api:tokens-admin'],
  },
  'a role that does not exist': {
    typed: 'grant add --subject ada --role admin',
    says: ['admin', 'reader, writer, owner'],
  },
  'a grant to nobody': { typed: 'grant add --role reader', says: ['either --subject or --group'] },
  'a grant on a misspelled ontology': {
    typed: 'grant add --subject ada --role reader --ontology ari',
    says: ['no ontology ari', 'air'],
  },
  'the removal of a grant that is not there': {
    typed: 'grant remove --subject nobody',
    refusedWith: ['There is no such grant', 'octavo grant list'],
  },
  'a grant by a reader': {
    typed: 'grant add --subject ada --role reader',
    environment: { OCTAVO_TOKEN: '$READER' },
    refusedWith: ['scope api:ontologies-admin'],
  },
}
