import { mediaTypes, type Wire } from '@octavo/protocol'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ServiceError } from '../../base/errors/service-error.ts'
import { isJsonObject } from '../../base/value/json-object.ts'
import { explainShape } from './explain-shape.ts'

/** Without those that have been read already, and were set to undefined. */
const givenFields = (body: unknown): unknown =>
  isJsonObject(body)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    : body

export function requireBody(body: unknown): void {
  if (body === undefined) throw new ServiceError('MissingPostBody', { expectedMediaType: mediaTypes.json })
}

/** A function that returns a body of this shape, and refuses any other with the first place where it differs. */
export function shapeChecker<Schema extends TSchema>(schema: Schema): (body: unknown) => Wire<Schema> {
  const compiled = Compile(schema)
  const isFit = (body: unknown): body is Wire<Schema> => compiled.Check(body)
  return (body) => {
    requireBody(body)
    if (isFit(body)) return body
    throw new ServiceError(
      'Conjure:UnprocessableEntity',
      explainShape(schema, givenFields(body)) ?? {
        path: '',
        problem: 'it does not have the shape that /openapi.json describes',
      },
    )
  }
}
