import type { Wire } from '@octavo/protocol'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ServiceError } from '../../base/errors/service-error.ts'
import { explainShape } from './explain-shape.ts'

/** A function that returns a body of this shape, and refuses any other with the first place where it differs. */
export function shapeChecker<Schema extends TSchema>(schema: Schema): (body: unknown) => Wire<Schema> {
  const compiled = Compile(schema)
  const isFit = (body: unknown): body is Wire<Schema> => compiled.Check(body)
  return (body) => {
    if (isFit(body)) return body
    throw new ServiceError(
      'Conjure:UnprocessableEntity',
      explainShape(schema, body) ?? {
        path: '',
        problem: 'it does not have the shape that /openapi.json describes',
      },
    )
  }
}
