import { wrongUse } from '../base/cli-error.ts'

export const databaseVariable = 'OCTAVO_DATABASE_URL'

const inTheEnvironment = `set ${databaseVariable} instead, or leave the password out and set PGPASSWORD`

/** Refuses a password in a flag: every user of a machine can see command lines. */
export async function refusePassword(
  databaseUrl: string | undefined,
  instead = inTheEnvironment,
): Promise<void> {
  if (databaseUrl === undefined) return
  const { carriesPassword } = await import('@octavo/service')
  if (!carriesPassword(databaseUrl)) return
  throw wrongUse(`--database-url would show a password to every user of this machine: ${instead}.`)
}
