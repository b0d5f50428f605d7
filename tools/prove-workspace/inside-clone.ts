// CI in the clone runs this proof too. The mark keeps that one from cloning again, and so on without end.
// It does not begin with OCTAVO_: the service refuses variables with that prefix which it does not know.
const mark = 'PROVING_THE_WORKSPACE'

export const insideClone = (): boolean => process.env[mark] === '1'

/** What a stranger's shell would have: nothing of the `npm run` we are in, and none of our installed programs. */
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
