import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Builds the service as it is published; quick if it was built before. */
export async function buildOctavo(say: (line: string) => void): Promise<void> {
  say('building what is published')
  await promisify(execFile)('npm', ['run', '--silent', 'build'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  })
}
