import { describeError, type ErrorName, type ErrorParameters } from '@octavo/protocol'
import { shortParameters } from './short-parameters.ts'

/** A failure that the caller sees: a row of the closed error table in protocol. The cause is for the log only. */
export class ServiceError<Name extends ErrorName = ErrorName> extends Error {
  override readonly name = 'ServiceError'
  readonly errorName: Name
  readonly parameters: ErrorParameters<Name>

  constructor(errorName: Name, parameters: ErrorParameters<Name>, options?: { readonly cause: unknown }) {
    const short = shortParameters(errorName, parameters)
    super(describeError(errorName, short), options)
    this.errorName = errorName
    this.parameters = short
  }
}
