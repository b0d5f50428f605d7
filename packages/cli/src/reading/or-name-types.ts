import { CliError } from '../cli-error.ts'
import type { Connection } from '../connection/connection.ts'
import { ServiceRefused } from '../connection/service-errors.ts'

interface Asked {
  readonly connection: Connection
  /** Where the types are listed. */
  readonly path: string
  readonly type: string
}

/** A type that is not there is answered with those that are. */
export async function orNameTypes<Answer>(
  asking: Promise<Answer>,
  { connection, path, type }: Asked,
): Promise<Answer> {
  try {
    return await asking
  } catch (error) {
    if (!(error instanceof ServiceRefused) || error.errorName !== 'ObjectTypeNotFound') throw error
    const types = await connection.allItems<{ readonly apiName: string }>({ path })
    const names = types.map(({ apiName }) => apiName).join(', ')
    throw new CliError(
      names === ''
        ? `There are no object types yet.`
        : `There is no object type ${type}; there are: ${names}.`,
    )
  }
}
