import { ServiceError } from '../../src/base/errors/service-error.ts'

/** The refusal that a call ends in; nothing when it does not. Any other error is not expected and passed on. */
export function refusedWith(call: () => unknown): ServiceError | undefined {
  try {
    call()
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}
