import { OctavoError } from '@octavo/client'
import { CliError } from '../base/cli-error.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { keysNotLike, type TypeFacts } from './type-facts.ts'

/** Names the object that is not there, as the user did. */
export const missingAs =
  (facts: TypeFacts, key: string) =>
  (error: unknown): never => {
    const isMissing = error instanceof OctavoError && error.errorName === 'ObjectNotFound'
    throw isMissing
      ? new CliError(
          `There is no ${facts.apiName} with the key ${key} that you can see: check the key.${keysNotLike(key, facts)}`,
          exitCodes.failed,
          {
            cause: error,
          },
        )
      : error
  }
