import { Type, type Static, type TObject, type TProperties } from 'typebox'

import { closed } from '../base/wire.ts'
import { statusByErrorCode, type ErrorCode } from './error-code.ts'

export interface ErrorRow {
  readonly code: ErrorCode
  readonly status: number
  /** The names and types of `parameters` in the error body. */
  readonly parameters: TObject
  /** One sentence for the reference page: when this error happens. */
  readonly meaning: string
  /** Tells the caller what to do; becomes `errorDescription`. `{name}` stands for that parameter. */
  readonly advice: string
  /** More specific advice, in the same form, if the parameters allow it; undefined otherwise. */
  readonly adviceFor: (parameters: never) => string | undefined
  /** Whether the same request may succeed later without any change. */
  readonly retryable: boolean
}

interface Row<Code extends ErrorCode, Parameters extends TProperties> {
  readonly code: Code
  readonly parameters: Parameters
  readonly meaning: string
  readonly advice: string
  readonly adviceFor?: (parameters: Static<TObject<Parameters>>) => string | undefined
  readonly retryable?: true
}

export function row<const Code extends ErrorCode, Parameters extends TProperties>(
  row: Row<Code, Parameters>,
) {
  return {
    code: row.code,
    status: statusByErrorCode[row.code],
    parameters: Type.Object(row.parameters, closed),
    meaning: row.meaning,
    advice: row.advice,
    adviceFor: row.adviceFor ?? (() => undefined),
    retryable: row.retryable ?? false,
  }
}
