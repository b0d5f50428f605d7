// The settings of the command as data: the program's options, its messages and the reference page are generated from it.

export interface Setting {
  readonly name: 'url' | 'token' | 'ontology' | 'profile'
  readonly flag: string
  readonly variable: string
  /** The placeholder for the value in the help. */
  readonly takes: string
  readonly sentence: string
}

export const settings = {
  url: {
    name: 'url',
    flag: '--url',
    variable: 'OCTAVO_URL',
    takes: 'URL',
    sentence: 'the URL of the service, such as http://127.0.0.1:8080',
  },
  token: {
    name: 'token',
    flag: '--token',
    variable: 'OCTAVO_TOKEN',
    takes: 'TOKEN',
    sentence:
      'the access token to send; better set in the environment or a profile, where no other user sees it',
  },
  ontology: {
    name: 'ontology',
    flag: '--ontology',
    variable: 'OCTAVO_ONTOLOGY',
    takes: 'NAME',
    sentence: 'API name or rid of the ontology; not needed if you can see only one',
  },
  profile: {
    name: 'profile',
    flag: '--profile',
    variable: 'OCTAVO_PROFILE',
    takes: 'NAME',
    sentence: 'the profile to read settings from',
  },
} as const satisfies Readonly<Record<string, Setting>>

/**
 * The variables to hide from the service, because it refuses unknown names: the command's own, and those of dev-database.
 */
export const commandVariables: ReadonlySet<string> = new Set([
  ...Object.values(settings).map(({ variable }) => variable),
  'OCTAVO_TRACE',
  'OCTAVO_POSTGRES_BIN',
  'OCTAVO_TEST_DATABASE_URL',
  'OCTAVO_TEST_CITUS_WORKERS',
])
