import { ServiceError } from '../../base/errors/service-error.ts'
import { canonicalTimestamp } from '../../base/value/canonical-time.ts'

/** A time in a body, in the form of P52, from any that RFC 3339 allows (P413). */
export function parseTime(text: string, path: string): string {
  const time = canonicalTimestamp(text)
  if (time !== undefined) return time
  throw new ServiceError('Conjure:UnprocessableEntity', {
    path,
    problem:
      'it must be a date and time with a zone and at most six decimals, such as 2030-01-31T12:00:00Z or 2030-01-31T13:00:00.25+01:00',
  })
}
