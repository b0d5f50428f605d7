import { isInternal, leavesConnection } from './sqlstate.ts'

/** The connection was lost after COMMIT was sent: we cannot know whether the transaction was committed. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'

  constructor(cause: unknown) {
    super('the connection to the database was lost while a transaction was being committed', { cause })
  }
}

/**
 * The meaning of a failed COMMIT. If the server refused it, it has not happened, unless the connection ended with it. A Citus
 * coordinator that lost the node which commits reports an internal error, and knows no more than we do.
 */
export const commitFailure = (error: unknown): unknown =>
  leavesConnection(error) && !isInternal(error) ? error : new OutcomeUnknown(error)
