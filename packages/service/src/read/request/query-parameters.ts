import { nearestNames } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'

/** A query string as the HTTP server parsed it: a repeated name has a list of values. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** Clients of the API family send this parameter; it means nothing here (P28). */
const ignored = 'preview'

/** Refuses query parameters that the endpoint does not define (P27). */
export function refuseUnknown(
  names: readonly string[],
  expected: readonly string[],
  {
    isExpected = () => false,
    inBody = [],
  }: { readonly isExpected?: (name: string) => boolean; readonly inBody?: readonly string[] } = {},
): void {
  refuseUnknownFields(
    names.filter((name) => name !== ignored && !isExpected(name)),
    expected,
    inBody,
  )
}

/** Refuses fields of a body that the endpoint does not define (P27). In a body, no name is ignored. */
export function refuseUnknownFields(
  names: readonly string[],
  expected: readonly string[],
  inBody: readonly string[] = [],
): void {
  const unknown = names.filter((name) => !expected.includes(name))
  const meant = nearestNames(unknown, expected)
  const misplaced = unknown.filter((name) => inBody.includes(name))
  if (unknown.length > 0) {
    throw new ServiceError('UnknownParameter', {
      unknownParameters: unknown,
      expectedParameters: [...expected],
      ...(misplaced.length > 0 && { inBody: misplaced }),
      ...(meant.length > 0 && { didYouMean: meant }),
    })
  }
}

/** The value of a parameter that takes one value (P29). */
export function oneValue(parameters: QueryParameters, name: string): string | undefined {
  const value = parameters[name]
  if (value === undefined || typeof value === 'string') return value
  throw new ServiceError('InvalidParameterValue', {
    parameterId: name,
    parameterValue: value.join(', '),
    expected: 'one value, not several',
  })
}

/** The values of a parameter that takes a comma-separated list, or may be repeated. */
export function listOfValues(parameters: QueryParameters, name: string): readonly string[] | undefined {
  const value = parameters[name]
  if (value === undefined) return undefined
  return [value].flat().flatMap((text) => text.split(',').filter((part) => part !== ''))
}

export function booleanValue(parameters: QueryParameters, name: string): boolean | undefined {
  const value = oneValue(parameters, name)
  if (value === undefined) return undefined
  if (value === 'true') return true
  if (value === 'false') return false
  throw new ServiceError('InvalidParameterValue', {
    parameterId: name,
    parameterValue: value,
    expected: 'the value true or false, in lower case',
  })
}

/** Refuses `snapshot=true` on a list that has no snapshots; `snapshot=false` is allowed (P31). */
export function refuseSnapshot(parameters: QueryParameters): void {
  if (booleanValue(parameters, 'snapshot') !== true) return
  throw new ServiceError('InvalidParameterValue', {
    parameterId: 'snapshot',
    parameterValue: 'true',
    expected: 'the value false, or leave it out: this list has no snapshots',
  })
}
