import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { downloadedBinFolder } from './downloaded-postgres.ts'
import { postgresBinFolder } from './environment.ts'
import { runProgram } from './run-program.ts'

export type Binaries = { readonly folder: string; readonly majorVersion: number }

const oldestMajorVersion = 15

const versionedFolders = [
  { parent: '/usr/lib/postgresql', child: /^\d+$/ },
  { parent: '/opt/homebrew/opt', child: /^postgresql(@\d+)?$/ },
  { parent: '/usr/local/opt', child: /^postgresql(@\d+)?$/ },
  { parent: '/Applications/Postgres.app/Contents/Versions', child: /^\d+$/ },
] as const

/** The binaries in OCTAVO_POSTGRES_BIN, else those on the PATH, else the newest installed, else those downloaded. */
export async function findBinaries(asked?: string): Promise<Binaries> {
  const found = await lookForBinaries(asked)
  if (found !== undefined) return found
  throw new Error(
    `PostgreSQL ${oldestMajorVersion} or newer was not found. Install its server ` +
      '(Debian and Ubuntu: "apt-get install postgresql"; macOS: "brew install postgresql@17"), ' +
      'or set OCTAVO_POSTGRES_BIN to the folder that holds initdb and postgres.',
  )
}

/** Undefined if there are none; throws if they are not in the folder that was asked for. */
export async function lookForBinaries(
  asked: string | undefined = postgresBinFolder(),
): Promise<Binaries | undefined> {
  const downloaded = downloadedBinFolder()
  const inDownloaded = async () => (downloaded === undefined ? undefined : inspect(downloaded))
  if (asked === 'npm') return inDownloaded()
  if (asked !== undefined) {
    const binaries = await inspect(asked)
    if (binaries !== undefined) return binaries
    throw new Error(
      `OCTAVO_POSTGRES_BIN is ${asked}, but initdb and postgres of version ${oldestMajorVersion} or newer are not in it: set it to the folder that holds both, or unset it.`,
    )
  }
  const onPath = await runProgram('pg_config', ['--bindir'])
  const preferred = onPath === undefined ? undefined : await inspect(onPath)
  if (preferred !== undefined) return preferred
  return (await newestInstalled()) ?? inDownloaded()
}

async function newestInstalled(): Promise<Binaries | undefined> {
  const folders = await Promise.all(
    versionedFolders.map(async ({ parent, child }) => {
      const names = await readdir(parent).catch(() => [])
      return names.filter((name) => child.test(name)).map((name) => join(parent, name, 'bin'))
    }),
  )
  const inspected = await Promise.all(folders.flat().map(inspect))
  return inspected
    .filter((binaries) => binaries !== undefined)
    .sort((a, b) => b.majorVersion - a.majorVersion)[0]
}

// Debian's pg_config exists without a server, so a folder counts only if both programs run.
async function inspect(folder: string): Promise<Binaries | undefined> {
  const answers = await Promise.all(
    ['postgres', 'initdb'].map((program) => runProgram(join(folder, program), ['--version'])),
  )
  const versions = answers.map((answer) => Number(/ (\d+)/.exec(answer ?? '')?.[1] ?? 0))
  const majorVersion = Math.min(...versions)
  return majorVersion >= oldestMajorVersion ? { folder, majorVersion } : undefined
}
