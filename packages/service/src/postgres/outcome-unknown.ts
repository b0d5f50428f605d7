import { leavesConnection } from './sqlstate.ts'

/** The connection was lost after a transaction was told to commit: nobody here knows whether it did. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'

  constructor(cause: unknown) {
    super('the connection to the database was lost while a transaction was being committed', { cause })
  }
}

/** What a failed COMMIT means. Refused by the server it has not happened, unless the connection ended with it. */
export const commitFailure = (error: unknown): unknown =>
  leavesConnection(error) ? error : new OutcomeUnknown(error)
