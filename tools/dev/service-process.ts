import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type ServiceProcess = { readonly stop: () => Promise<void> }

export const startServiceProcess = (environment: Readonly<Record<string, string>>): ServiceProcess => {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@octavo/source',
      `--import=${import.meta.resolve('../../proofs/harness/end-with-parent.ts')}`,
      fileURLToPath(import.meta.resolve('../../packages/service/src/main.ts')),
    ],
    {
      env: { ...withoutOptions(process.env), ...environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Ctrl-C does not reach it: we stop it ourselves, once.
      detached: true,
    },
  )
  const ended = once(child, 'exit')
  let stopping = false
  child.once('exit', () => {
    if (!stopping) console.log('The service exited on its own; it is restarted when a file changes.')
  })
  return {
    stop: async () => {
      stopping = true
      child.kill('SIGTERM')
      await ended
    },
  }
}

// Removes the variables of dev-database, because the service refuses variables it does not know.
const withoutOptions = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('OCTAVO_')))
