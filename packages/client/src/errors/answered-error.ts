// An error that the service returned. The service's own sentence speaks of requests; where a user of a walk should do
// something else, ours says what.
import type { ErrorParameters } from './error-parameters.ts'
import { OctavoError } from './octavo-error.ts'

interface ErrorBody {
  readonly errorName: keyof ErrorParameters
  readonly errorCode?: string
  readonly errorInstanceId?: string
  readonly errorDescription?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

export const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'errorName' in body && typeof body.errorName === 'string'

export function answeredError(status: number, body: ErrorBody): OctavoError {
  const { errorName, errorCode, errorInstanceId, errorDescription, parameters = {} } = body
  return new OctavoError({
    errorName,
    parameters,
    sentence: adviceOn(errorName, parameters) ?? errorDescription ?? `The service answered ${status}.`,
    status,
    ...(errorCode !== undefined && { errorCode }),
    ...(errorInstanceId !== undefined && { errorInstanceId }),
  })
}

function adviceOn(name: string, { reason }: ErrorBody['parameters'] & object): string | undefined {
  switch (name) {
    case 'Default:Unauthorized':
      return 'The token was refused. Pass `token` as a function that returns a valid one; it is called for every request.'
    case 'ConsistentSnapshotError':
      return "The snapshot that this walk reads is no longer kept. Start a new walk, or set onSnapshotGone: 'restart', or 'continue' where the walk returns all objects in the order of the key."
    case 'ObjectsExceededLimit':
      return 'A list of revision 1.0 ends at this number of objects. Read the type through an API family: client.family(name).objects(type).all().'
    case 'InvalidPageToken':
      if (reason === 'expired') {
        return 'The page token has expired, because the walk paused for too long between two pages. Start a new walk, and take less time for each page.'
      }
      if (reason === 'otherCaller') {
        return 'The walk was begun by another caller. Continue with the credentials of that caller, or start a new walk.'
      }
      return undefined
    default:
      return undefined
  }
}
