// Checks that an answer is a refusal with a given name, in the shape that every refusal has (P102 to P105).
import { errorTable, isErrorName, statusByErrorCode, type ErrorName } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { demand } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { isObject } from '../subject/wire-page.ts'

export interface Refusal {
  readonly errorName: string
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface ExpectedRefusal {
  /** The clause that demands this refusal. */
  readonly clause: string
  readonly name: ErrorName
  readonly parameters?: Readonly<Record<string, unknown>>
  /** The mistake in the request, for the report. */
  readonly because: string
}

export function demandRefusal(exchange: Exchange, expected: ExpectedRefusal): Refusal {
  const { clause, name, parameters = {}, because } = expected
  const status = statusByErrorCode[errorTable[name].code]
  const asked = Object.entries(parameters).map(([field, value]) => `${field} ${JSON.stringify(value)}`)
  const sentence = `${status} ${name}${asked.length > 0 ? ` with ${asked.join(', ')}` : ''}, because ${because}`
  const { body } = exchange
  demand(exchange.status >= 400, { clause, expected: sentence, exchange })
  demand(isObject(body) && body['errorName'] === name, { clause, expected: sentence, exchange })
  const refusal = refusalOf(exchange)
  for (const [field, value] of Object.entries(parameters)) {
    demand(JSON.stringify(refusal.parameters[field]) === JSON.stringify(value), {
      clause,
      expected: sentence,
      exchange,
    })
  }
  return refusal
}

const fields = ['errorCode', 'errorName', 'errorInstanceId', 'parameters', 'errorDescription'] as const
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Checks the shape of every refusal, each part under its clause. */
export function refusalOf(exchange: Exchange): Refusal {
  const { body, status, headers } = exchange
  demand(/^application\/json\b/.test(headers.get('content-type') ?? '') && isObject(body), {
    clause: 'P102',
    expected: 'an error body as application/json',
    found: `content type ${headers.get('content-type') ?? 'none'}`,
    exchange,
  })
  const missing = fields.filter((field) => !(field in body))
  demand(missing.length === 0, {
    clause: 'P102',
    expected: `the fields ${fields.join(', ')}`,
    found: `no ${missing.join(', ')}`,
    exchange,
  })
  const { errorCode, errorName, errorInstanceId, parameters, errorDescription } = body
  demand(typeof errorName === 'string' && isErrorName(errorName), {
    clause: 'P103',
    expected: 'an errorName of the table of errors',
    exchange,
  })
  const row = errorTable[errorName].parameters
  const known = isObject(parameters)
    ? Object.fromEntries(Object.entries(parameters).filter(([name]) => Object.hasOwn(row.properties, name)))
    : undefined
  demand(isObject(parameters) && Compile(row).Check(known), {
    clause: 'P103',
    expected: `at least the parameters that the table gives ${errorName}: ${Object.keys(row.properties).join(', ') || 'none'}`,
    exchange,
  })
  demand(typeof errorInstanceId === 'string' && uuid.test(errorInstanceId), {
    clause: 'P104',
    expected: 'a UUID as errorInstanceId',
    exchange,
  })
  demand(typeof errorDescription === 'string' && errorDescription.trim() !== '', {
    clause: 'P104',
    expected: 'a sentence as errorDescription',
    exchange,
  })
  demand(errorCode === errorTable[errorName].code && status === errorTable[errorName].status, {
    clause: 'P105',
    expected: `${errorTable[errorName].status} and the code ${errorTable[errorName].code} for ${errorName}`,
    exchange,
  })
  return { errorName, parameters }
}
