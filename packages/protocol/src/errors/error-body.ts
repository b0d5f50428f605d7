import { Type } from 'typebox'

import { tableNames } from '../base/table-names.ts'
import type { Wire } from '../base/wire.ts'
import { statusByErrorCode } from './error-code.ts'
import type { ErrorName, ErrorParameters } from './error-name.ts'
import type { errorTable } from './error-table.ts'

const codes = tableNames(statusByErrorCode)

/** Open on purpose: a client must accept error names and fields that a newer service sends. */
export const errorBodySchema = Type.Object({
  errorCode: Type.Enum([...codes]),
  errorName: Type.String({ minLength: 1 }),
  errorInstanceId: Type.String({
    pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    description: 'A UUID that is also in the log of the service.',
  }),
  parameters: Type.Record(Type.String(), Type.Unknown()),
  errorDescription: Type.String({ minLength: 1, description: 'What to do, in a sentence or two.' }),
})

/** An error body as a client receives it. */
export type AnyErrorBody = Wire<typeof errorBodySchema>

/** An error body as the service writes it. */
export interface ErrorBody<Name extends ErrorName = ErrorName> {
  readonly errorCode: (typeof errorTable)[Name]['code']
  readonly errorName: Name
  readonly errorInstanceId: string
  readonly parameters: ErrorParameters<Name>
  readonly errorDescription: string
}
