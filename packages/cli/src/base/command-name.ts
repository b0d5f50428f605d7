import type { Environment } from './command-context.ts'

/** What a user types to run this command again: in a clone through npm, through npx as it was started, or by its name. */
export function commandName(environment: Environment, moduleUrl: string): string {
  if (moduleUrl.endsWith('.ts')) return 'npm run --silent octavo --'
  return environment['npm_command'] === 'exec' ? 'npx octavo' : 'octavo'
}
