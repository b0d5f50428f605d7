import type { ErrorName, ErrorParameters } from './error-parameters.ts'

export interface ErrorFacts<Name extends ErrorName> {
  readonly errorName: Name
  readonly parameters: ErrorParameters[Name]
  /** What happened and what to do. */
  readonly sentence: string
  /** The HTTP status of the answer, if there was one. */
  readonly status?: number
  readonly errorCode?: string
  readonly errorInstanceId?: string
  readonly cause?: unknown
}

class NamedError<Name extends ErrorName> extends Error {
  readonly errorName: Name
  readonly parameters: ErrorParameters[Name]
  readonly status: number | undefined
  readonly errorCode: string | undefined
  /** Also appears in the log of the service. */
  readonly errorInstanceId: string | undefined

  constructor({ errorName, parameters, sentence, cause, ...answer }: ErrorFacts<Name>) {
    super(`${errorName}: ${sentence}`, cause === undefined ? {} : { cause })
    this.name = 'OctavoError'
    this.errorName = errorName
    this.parameters = parameters
    this.status = answer.status
    this.errorCode = answer.errorCode
    this.errorInstanceId = answer.errorInstanceId
  }
}

/**
 * Every failure except an abort. Checking `errorName` narrows `parameters`. A newer service may send names not listed here.
 */
export type OctavoError = { [Name in ErrorName]: NamedError<Name> }[ErrorName]

// The class, typed as a union over its names, so that `errorName` narrows the result of `instanceof`.
export const OctavoError = NamedError as unknown as {
  new <Name extends ErrorName>(facts: ErrorFacts<Name>): OctavoError
  readonly prototype: OctavoError
}
