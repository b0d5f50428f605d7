import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './find-binaries.ts'
import { startGuarded } from './guarded-process.ts'
import type { ServerIdentity } from './server-identity.ts'

export type DataFolderRequest = {
  readonly binaries: Binaries
  readonly folder: string
  readonly identity: ServerIdentity
  readonly user: string
  readonly password: string
}

// The password is passed on standard input, because an argument would be visible in the list of processes.
const initialise = 'umask 077; cat >password; "$@"; result=$?; rm -f password; exit $result'

export async function createDataFolder(request: DataFolderRequest): Promise<string> {
  const { binaries, folder, identity, user, password } = request
  const dataFolder = join(folder, 'data')
  const flags = {
    pgdata: dataFolder,
    username: user,
    pwfile: join(folder, 'password'),
    auth: 'scram-sha-256',
    encoding: 'UTF8',
    locale: 'C',
  }
  const initdb = [
    join(binaries.folder, 'initdb'),
    ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    '--no-sync',
    '--no-instructions',
  ]
  const command = ['/bin/sh', '-c', initialise, 'octavo-pg-initdb', ...initdb]
  const running = await startGuarded({ folder, identity, role: 'initdb', command, input: password })
  const { code } = await running.ended()
  if (code !== 0) {
    const log = await readFile(join(folder, 'initdb.log'), 'utf8').catch(() => '')
    throw new Error(`initdb failed:\n${log.trim()}`)
  }
  return dataFolder
}
