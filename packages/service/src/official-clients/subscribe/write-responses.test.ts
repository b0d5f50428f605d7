import { errorTable, limits } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { ServiceError } from '../../base/errors/service-error.ts'
import { writeResponses, type Outcome } from './write-responses.ts'

const { answerPerByte, answerBytes, perConnection } = limits.subscription

const wrong = (path: string, problem: string): Outcome => ({
  kind: 'failure',
  error: new ServiceError('Conjure:UnprocessableEntity', { path, problem }),
})

/** The answer to a message of so many bytes, and how often a failure was reported. */
function answerTo(bytes: number, outcomes: readonly Outcome[]) {
  let reported = 0
  const explain = (error: unknown): ServiceError => {
    if (error instanceof ServiceError) return error
    throw error
  }
  const responses = writeResponses(outcomes, {
    id: 'i',
    bytes,
    explain,
    failureOf: (error) => {
      reported += 1
      const { errorName, parameters, message } = explain(error)
      const { code } = errorTable[errorName]
      const errorInstanceId = `instance-${reported}`
      return { body: { errorCode: code, errorName, errorInstanceId, parameters, errorDescription: message } }
    },
  })
  const answer = JSON.stringify({ type: 'subscribeResponses', id: 'i', responses })
  return { responses, reported, bytes: Buffer.byteLength(answer) }
}

it('P391: what is wrong in the same way is reported and said once', () => {
  const outcomes = [wrong('/a', 'no'), wrong('/a', 'no'), wrong('/b', 'no')]
  const { responses, reported } = answerTo(1_000, outcomes)
  expect(reported).toBe(2)
  expect(JSON.stringify(responses[0])).toContain('/a')
  expect(responses[1]).toEqual({
    type: 'error',
    errors: [
      { error: 'Conjure:UnprocessableEntity', args: [{ name: 'errorInstanceId', value: 'instance-1' }] },
    ],
  })
  expect(JSON.stringify(responses[2])).toContain('/b')
})

it.for([
  ['the same', () => wrong('/a', 'it is wrong')],
  ['each another', (i: number) => wrong(`/${i}`, 'it is wrong')],
  ['long', (i: number) => wrong(`/${i}`, '\u0001é😀'.repeat(10_000))],
] as const)('P391: an answer is short however many requests are wrong: %s', ([, outcomeAt]) => {
  for (const count of [1, 2, 10, perConnection + 1]) {
    const sent = `{"id":"i","requests":[${Array.from({ length: count }, () => '1').join(',')}]}`.length
    const answer = answerTo(
      sent,
      Array.from({ length: count }, (_, i) => outcomeAt(i)),
    )
    expect(answer.responses).toHaveLength(count)
    expect(answer.bytes).toBeLessThanOrEqual(answerPerByte * sent + answerBytes)
  }
})

it('P391: what is left of the room is used', () => {
  const { responses } = answerTo(
    100,
    Array.from({ length: perConnection }, (_, i) => wrong(`/${i}`, 'it is wrong')),
  )
  expect(JSON.stringify(responses[0])).toContain('it is wrong')
  expect(responses.at(-1)).toEqual({ type: 'error', errors: [] })
})

it('P361: what passes by itself makes the client connect again, and is reported', () => {
  const error = new ServiceError('RateLimited', { retryAfterSeconds: 30 })
  const { responses, reported } = answerTo(100, [
    { kind: 'failure', error },
    { kind: 'success', id: '1' },
  ])
  expect(responses).toEqual([{ type: 'qos' }, { type: 'success', id: '1' }])
  expect(reported).toBe(1)
})
