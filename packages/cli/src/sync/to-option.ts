// Where a copy is: a file, or a database whose URL may carry a password only in the environment.
import { refusePassword } from '../access/refuse-password.ts'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'

const copyVariable = 'OCTAVO_COPY_URL'

export const toOption = [
  '--to <FILE|URL>',
  `a SQLite file, or a PostgreSQL database as postgres://USER@HOST/DATABASE, without a password (default: ${copyVariable})`,
] as const

export interface CopyTarget {
  readonly kind: 'SQLite' | 'PostgreSQL'
  /** A path or a URL. */
  readonly address: string
  /** For people: without a password. */
  readonly name: string
  /** The words that name the same copy to another command. */
  readonly words: readonly string[]
}

export async function copyTarget(
  to: string | undefined,
  { environment }: Pick<CommandContext, 'environment'>,
): Promise<CopyTarget> {
  const address = to ?? (environment[copyVariable] || undefined)
  if (address === undefined) {
    throw wrongUse(
      `Where is the copy? Give --to copy.sqlite or --to postgres://USER@HOST/DATABASE, or set ${copyVariable}.`,
    )
  }
  const words = to === undefined ? [] : ['--to', to]
  if (!/^[a-z]+:\/\//i.test(address)) return { kind: 'SQLite', address, name: address, words }
  await refusePassword(to, { flag: '--to', variable: copyVariable })
  if (!/^postgres(?:ql)?:\/\//.test(address) || !URL.canParse(address)) {
    throw wrongUse('A copy is in a file, or in a database that is named as postgres://USER@HOST/DATABASE.')
  }
  const shown = new URL(address)
  shown.password = ''
  shown.search = ''
  return { kind: 'PostgreSQL', address, name: shown.href, words }
}
