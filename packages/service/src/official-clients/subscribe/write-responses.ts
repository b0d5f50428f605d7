// The answers to the requests of one message. All together they are only as long as the message allows (P391): what is wrong is said
// once, and in fewer words the less room is left.
import { limits, type ErrorBody, type StreamMessage } from '@octavo/protocol'
import type { ServiceError } from '../../base/errors/service-error.ts'
import { passesByItself } from './follow-set.ts'

export type Outcome =
  { readonly kind: 'success'; readonly id: string } | { readonly kind: 'failure'; readonly error: unknown }

type Answer = Extract<StreamMessage, { readonly type: 'subscribeResponses' }>
type Response = Answer['responses'][number]

export interface Answered {
  /** Of the message. */
  readonly id: string
  readonly bytes: number
  readonly explain: (error: unknown) => ServiceError
  /** Explains a failure to the client, and reports it. */
  readonly failureOf: (error: unknown) => { readonly body: ErrorBody }
}

const { answerPerByte, answerBytes } = limits.subscription

export function writeResponses(outcomes: readonly Outcome[], answered: Answered): readonly Response[] {
  const shortest = outcomes.map((outcome) => shortestOf(outcome, answered))
  const answer: Answer = { type: 'subscribeResponses', id: answered.id, responses: shortest }
  let room = answerPerByte * answered.bytes + answerBytes - bytesOf(answer)
  const explained = new Map<string, ErrorBody>()
  return shortest.map((response, i) => {
    const outcome = outcomes[i]
    if (outcome?.kind !== 'failure') return response
    const { message } = answered.explain(outcome.error)
    const before = explained.get(message)
    const body = before ?? answered.failureOf(outcome.error).body
    explained.set(message, body)
    if (response.type === 'qos') return response
    const error = before === undefined ? errorOf(body) : sameErrorAs(body)
    const longer: Response = { type: 'error', errors: [error] }
    const more = bytesOf(longer) - bytesOf(response)
    if (more > room) return response
    room -= more
    return longer
  })
}

/** What passes by itself makes the client connect again, to another instance if there is one. */
function shortestOf(outcome: Outcome, { explain }: Pick<Answered, 'explain'>): Response {
  if (outcome.kind === 'success') return { type: 'success', id: outcome.id }
  return passesByItself(explain(outcome.error).errorName) ? { type: 'qos' } : { type: 'error', errors: [] }
}

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))

const mostCharacters = 500

export const errorOf = ({ errorName, errorDescription, errorInstanceId, parameters }: ErrorBody) => ({
  error: errorName,
  args: Object.entries({ ...parameters, errorInstanceId, errorDescription }).map(([name, value]) => ({
    name,
    value: shortened(typeof value === 'string' ? value : JSON.stringify(value)),
  })),
})

const shortened = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters)}...` : text

/** The instance says which of the errors before has the rest. */
const sameErrorAs = ({ errorName, errorInstanceId }: ErrorBody) => ({
  error: errorName,
  args: [{ name: 'errorInstanceId', value: errorInstanceId }],
})
