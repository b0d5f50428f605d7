import { expect, it } from 'vitest'
import { commandName } from './command-name.ts'

it.each([
  [
    'a clone, through npm run',
    { npm_command: 'run' },
    'file:///octavo/packages/cli/src/main.ts',
    'npm run --silent octavo --',
  ],
  ['npx', { npm_command: 'exec' }, 'file:///x/node_modules/@octavo/cli/dist/main.js', 'npx octavo'],
  ['the PATH', {}, 'file:///usr/lib/node_modules/@octavo/cli/dist/main.js', 'octavo'],
])('from %s, commands to try are printed so that they work there', (_, environment, url, name) => {
  expect(commandName(environment, url)).toBe(name)
})
