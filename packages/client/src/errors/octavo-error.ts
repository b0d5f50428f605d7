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
  declare readonly errorName: Name
  declare readonly parameters: ErrorParameters[Name]
  declare readonly status: number | undefined
  declare readonly errorCode: string | undefined
  /** Also appears in the log of the service. */
  declare readonly errorInstanceId: string | undefined

  // The name that logs show, also after a bundler has renamed the class.
  static override readonly name = 'OctavoError'
  static {
    this.prototype.name = 'OctavoError'
  }

  constructor({ sentence, cause, ...facts }: ErrorFacts<Name>) {
    super(`${facts.errorName}: ${sentence}`, cause === undefined ? {} : { cause })
    // Only what is there, so that a log shows no undefined fields.
    Object.assign(this, facts)
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
