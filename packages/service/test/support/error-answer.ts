// Checks that an answer has the shape of every refusal (P102 to P105), and returns its contents.
import { errorTable, statusByErrorCode, type AnyErrorBody, type ErrorName } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import type { Answer } from './walk-over-http.ts'

const fields = ['errorCode', 'errorName', 'errorInstanceId', 'parameters', 'errorDescription']
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const parameters = Object.fromEntries(
  Object.entries(errorTable).map(([name, row]) => [name, Compile(row.parameters)]),
)

/** One sentence for each way in which the answer does not have the shape of an error; empty if it does. */
export function errorShapeProblems({ status, text, headers }: Answer): readonly string[] {
  if (!/^application\/json\b/.test(headers.get('content-type') ?? '')) {
    return [`the content type is ${headers.get('content-type')}`]
  }
  let body: AnyErrorBody
  try {
    body = JSON.parse(text) as AnyErrorBody
  } catch {
    return [`the body is not JSON: ${text.slice(0, 100)}`]
  }
  const row = Object.hasOwn(errorTable, body.errorName) ? errorTable[body.errorName as ErrorName] : undefined
  if (row === undefined) return [`${body.errorName} is no name of the table`]
  return [
    ...(Object.keys(body).join() === fields.join() ? [] : [`the fields are ${Object.keys(body).join()}`]),
    ...(body.errorCode === row.code ? [] : [`the code is ${body.errorCode}, not ${row.code}`]),
    ...(status === statusByErrorCode[row.code] ? [] : [`the status is ${status}, not that of ${row.code}`]),
    ...(uuid.test(body.errorInstanceId) ? [] : [`the instance id is ${body.errorInstanceId}`]),
    ...(/^[A-Z].*\.$/s.test(body.errorDescription) ? [] : ['the description is no sentence']),
    ...(parameters[body.errorName]?.Check(body.parameters) === true
      ? []
      : [`the parameters are ${JSON.stringify(body.parameters).slice(0, 200)}`]),
    ...(status === 401 && headers.get('www-authenticate') !== 'Bearer' ? ['no WWW-Authenticate'] : []),
    ...([429, 503].includes(status) && !/^[0-9]+$/.test(headers.get('retry-after') ?? '')
      ? ['no Retry-After']
      : []),
  ]
}

export interface Refusal {
  readonly status: number
  readonly errorName: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The contents of a refusal; an answer of any other shape fails the test. */
export function refusalOf(answer: Answer): Refusal {
  const problems = answer.status < 400 ? [`the status is ${answer.status}`] : errorShapeProblems(answer)
  if (problems.length > 0) throw new Error(`${problems.join('; ')}: ${answer.text.slice(0, 300)}`)
  const { errorName, parameters } = JSON.parse(answer.text) as AnyErrorBody
  return { status: answer.status, errorName, parameters }
}
