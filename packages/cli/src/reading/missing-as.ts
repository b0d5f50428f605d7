import { OctavoError } from '@octavo/client'
import { CliError } from '../base/cli-error.ts'
import { exitCodes } from '../base/exit-codes.ts'

/** Names the object that is not there, as the user did. */
export const missingAs =
  (type: string, key: string) =>
  (error: unknown): never => {
    const isMissing = error instanceof OctavoError && error.errorName === 'ObjectNotFound'
    throw isMissing
      ? new CliError(
          `There is no ${type} with the key ${key} that you can see: check the key.`,
          exitCodes.failed,
          {
            cause: error,
          },
        )
      : error
  }
