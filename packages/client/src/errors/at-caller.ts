// An error from a request is made long after the call that caused it, often while a page was read ahead: its own stack shows
// only our code. So the stack of the call is kept, and the error gets it when the call fails.
import { OctavoError } from './octavo-error.ts'

type Caller = (...given: never) => unknown

const { captureStackTrace } = Error as {
  readonly captureStackTrace?: (target: object, below: Caller) => void
}

/** Does the work of `called`, a function that the user called. Engines that have other stacks than V8 keep those. */
export async function atCaller<Result>(called: Caller, work: () => Promise<Result>): Promise<Result> {
  const call: { readonly stack?: string } = {}
  captureStackTrace?.(call, called)
  try {
    return await work()
  } catch (error) {
    const at = call.stack?.indexOf('\n    at ') ?? -1
    if (error instanceof OctavoError && at >= 0) {
      error.stack = `${error.name}: ${error.message}${call.stack?.slice(at)}`
    }
    throw error
  }
}
