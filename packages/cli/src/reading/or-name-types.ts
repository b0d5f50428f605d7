import { CliError } from '../base/cli-error.ts'
import { exitCodes } from '../base/exit-codes.ts'
import type { Connection } from '../connection/connection.ts'
import { typeComesFirst } from '../connection/object-types.ts'
import { ServiceRefused, suggestionIn } from '../connection/service-errors.ts'

interface Asked {
  readonly connection: Connection
  /** The path that lists the types. */
  readonly path: string
  readonly type: string
  /** The other words of the command: one of them may be the type. */
  readonly others?: readonly string[]
}

/** If the type does not exist, the error lists the types that do. */
export async function orNameTypes<Answer>(
  asking: Promise<Answer>,
  { connection, path, type, others = [] }: Asked,
): Promise<Answer> {
  try {
    return await asking
  } catch (error) {
    if (!(error instanceof ServiceRefused) || error.errorName !== 'ObjectTypeNotFound') throw error
    const types = await connection.allItems<{ readonly apiName: string }>({ path })
    const meant = others.find((other) => types.some(({ apiName }) => apiName === other))
    if (meant !== undefined) throw typeComesFirst(type, meant)
    const names = types.map(({ apiName }) => apiName).join(', ')
    throw new CliError(
      names === ''
        ? `There are no object types yet: declare ${type} with octavo apply.`
        : `There is no object type ${type}${suggestionIn(error)} There are: ${names}.`,
      exitCodes.failed,
      { cause: error },
    )
  }
}
