import { describeError, type ErrorName, type ErrorParameters } from '@octavo/protocol'

/** A failure that the caller sees: a row of the closed error table in protocol. The cause is for the log only. */
export class ServiceError<Name extends ErrorName = ErrorName> extends Error {
  override readonly name = 'ServiceError'
  readonly errorName: Name
  readonly parameters: ErrorParameters<Name>

  constructor(errorName: Name, parameters: ErrorParameters<Name>, options?: { readonly cause: unknown }) {
    super(describeError(errorName, parameters), options)
    this.errorName = errorName
    this.parameters = parameters
  }
}
