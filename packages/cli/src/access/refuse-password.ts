import { wrongUse } from '../cli-error.ts'

/** Refuses a password in a flag: every user of a machine can see command lines. */
export async function refusePassword(databaseUrl: string | undefined, instead: string): Promise<void> {
  if (databaseUrl === undefined) return
  const { carriesPassword } = await import('@octavo/service')
  if (!carriesPassword(databaseUrl)) return
  throw wrongUse(`--database-url would show a password to every user of this machine: ${instead}.`)
}
