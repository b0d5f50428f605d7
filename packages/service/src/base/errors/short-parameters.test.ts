import { limits } from '@octavo/protocol'
import { describe, expect, it } from 'vitest'
import { ServiceError } from './service-error.ts'

const bytesOf = ({ errorName, parameters, message }: ServiceError): number =>
  Buffer.byteLength(
    JSON.stringify({
      errorCode: 'CONJURE_UNPROCESSABLE_ENTITY',
      errorName,
      errorInstanceId: crypto.randomUUID(),
      parameters,
      errorDescription: message,
    }),
  )

const deep = (levels: number): unknown => (levels === 0 ? 'x' : [deep(levels - 1), deep(levels - 1)])
const many = (text: string): readonly string[] => Array.from({ length: 10_000 }, (_, i) => text + i)

describe('P390: an error is short', () => {
  it.each<readonly [string, unknown]>([
    ['a long text', 'a'.repeat(1_000_000)],
    ['a text that is longer when it is written', '\u0000'.repeat(1_000_000)],
    ['a text of two halves each', '😀'.repeat(1_000_000)],
    ['a long list', many('value')],
    ['a list of long texts', many('a'.repeat(1_000))],
    ['a list of lists', deep(15)],
    ['an object of many fields', Object.fromEntries(many('b'.repeat(300)).map((name) => [name, name]))],
    ['a list of objects', many('c').map((name) => ({ [name]: name, other: many(name).slice(0, 10) }))],
  ])('although a value is %s', (_, propertyValue) => {
    const error = new ServiceError('InvalidPropertyValue', {
      propertyBaseType: 'string',
      property: 'd'.repeat(255),
      propertyValue,
    })
    expect(bytesOf(error)).toBeLessThanOrEqual(limits.error.bytes)
    expect(error.message.isWellFormed()).toBe(true)
  })

  it('whatever its parameters are', () => {
    const texts = many('\u0001'.repeat(1_000))
    const errors = [
      new ServiceError('UnknownParameter', { unknownParameters: [...texts], expectedParameters: [...texts] }),
      new ServiceError('InvalidDefinition', {
        problems: texts.map((text) => ({ path: text, problem: text })),
      }),
      new ServiceError('InvalidBatch', {
        problems: texts.map((text, i) => ({ line: i + 1, property: text, value: texts, problem: text })),
      }),
      new ServiceError('PropertiesNotFound', { objectType: texts.join(), properties: [...texts] }),
    ]
    for (const error of errors) expect(bytesOf(error)).toBeLessThanOrEqual(limits.error.bytes)
  })

  it('and says so where it was cut, or how many more there are', () => {
    const properties = many('property')
    const { parameters } = new ServiceError('PropertiesNotFound', {
      objectType: 'a'.repeat(5_000),
      properties,
    })
    expect(parameters).toMatchObject({
      objectType: expect.stringMatching(/^a+…$/),
      properties: expect.arrayContaining(['property0', expect.stringMatching(/^… and \d{4} more$/)]),
    })
  })

  it('but what is short enough is as it is, and so is a page token', () => {
    const primaryKey = 'k'.repeat(limits.value.primaryKeyBytes)
    const short = { objectType: 'employee', primaryKey }
    expect(new ServiceError('ObjectNotFound', short).parameters).toEqual(short)
    const pageToken = 't'.repeat(limits.pageToken.characters)
    expect(new ServiceError('ScanTimedOut', { pageToken } as never).parameters).toEqual({ pageToken })
    const continueWith = { fromSnapshotToken: pageToken, toSnapshotToken: pageToken, pageToken }
    expect(new ServiceError('ConsistentSnapshotError', { continueWith } as never).parameters).toEqual({
      continueWith,
    })
  })
})
