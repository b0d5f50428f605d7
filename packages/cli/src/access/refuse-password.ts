import { environmentVariableOf, serveOptions } from '@octavo/service/options'
import { wrongUse } from '../base/cli-error.ts'

export const databaseVariable = environmentVariableOf(serveOptions.databaseUrl)

interface Refused {
  readonly flag?: string
  /** The variable that may carry a password. */
  readonly variable?: string
  readonly instead?: string
}

/** Refuses a password in a flag: every user of a machine can see command lines. */
export async function refusePassword(
  databaseUrl: string | undefined,
  {
    flag = '--database-url',
    variable = databaseVariable,
    instead = `set ${variable} instead, or leave the password out and set PGPASSWORD`,
  }: Refused = {},
): Promise<void> {
  if (databaseUrl === undefined) return
  const { carriesPassword } = await import('@octavo/service')
  if (!carriesPassword(databaseUrl)) return
  throw wrongUse(`${flag} would show a password to every user of this machine: ${instead}.`)
}
