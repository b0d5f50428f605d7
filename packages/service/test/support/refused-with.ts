import { ServiceError } from '../../src/base/errors/service-error.ts'

/** The refusal that the call throws; undefined if it does not throw. Any other error is rethrown. */
export function refusedWith(call: () => unknown): ServiceError | undefined {
  try {
    call()
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}
