import { randomUUID } from 'node:crypto'
import { describeError, errorTable, type ErrorName, type ErrorParameters } from '@octavo/protocol'

/** Thrown by any step; becomes the answer. */
export class ModelRefusal extends Error {
  readonly errorName: ErrorName
  readonly parameters: object

  constructor(errorName: ErrorName, parameters: object) {
    super(errorName)
    this.errorName = errorName
    this.parameters = parameters
  }
}

export const refuse = <Name extends ErrorName>(name: Name, parameters: ErrorParameters<Name>): never => {
  throw new ModelRefusal(name, parameters)
}

export const errorBody = ({ errorName, parameters }: ModelRefusal): object => ({
  errorCode: errorTable[errorName].code,
  errorName,
  errorInstanceId: randomUUID(),
  parameters,
  errorDescription: describeError(errorName, parameters as never),
})
