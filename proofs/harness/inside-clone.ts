// CI in the clone runs this proof too. The mark keeps it from cloning again without end. It does not start with OCTAVO_,
// because the service refuses unknown variables with that prefix.
const mark = 'PROVING_THE_WORKSPACE'

export const insideClone = (): boolean => process.env[mark] === '1'

/** The environment of a new user's shell: nothing of the current `npm run`, and none of our installed programs. */
export const strangersEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(package|lifecycle|config_local_prefix)|INIT_CWD$|OCTAVO_ROOT$)/.test(name),
    ),
  ),
  PATH: (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.endsWith('node_modules/.bin'))
    .join(':'),
  [mark]: '1',
})
