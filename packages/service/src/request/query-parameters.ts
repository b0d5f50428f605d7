import { ServiceError } from '../errors/service-error.ts'

/** A query string as the HTTP server read it: a name that stands several times has a list. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** Clients of the API family send it; it means nothing here (P28). */
const ignored = 'preview'

/** Refuses query parameters that the endpoint does not define (P27). */
export function refuseUnknown(
  names: readonly string[],
  expected: readonly string[],
  isExpected: (name: string) => boolean = () => false,
): void {
  refuseUnknownFields(
    names.filter((name) => name !== ignored && !isExpected(name)),
    expected,
  )
}

/** Refuses fields of a body that the endpoint does not define (P27); there no name is ignored. */
export function refuseUnknownFields(names: readonly string[], expected: readonly string[]): void {
  const unknown = names.filter((name) => !expected.includes(name))
  if (unknown.length > 0) {
    throw new ServiceError('UnknownParameter', {
      unknownParameters: unknown,
      expectedParameters: [...expected],
    })
  }
}

/** Of a parameter that takes one value (P29). */
export function oneValue(parameters: QueryParameters, name: string): string | undefined {
  const value = parameters[name]
  if (value === undefined || typeof value === 'string') return value
  throw new ServiceError('InvalidParameterValue', { parameterId: name, parameterValue: value.join(', ') })
}

/** Of a parameter that takes a comma list, or stands several times. */
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
  throw new ServiceError('InvalidParameterValue', { parameterId: name, parameterValue: value })
}
