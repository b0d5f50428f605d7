import { expect, it } from 'vitest'
import { jsonLine, jsonLines } from './output.ts'

it('a value printed as JSON is the same value, and nothing in it acts on a terminal', () => {
  const value = {
    text: 'a\u009B31m\u007F\u0085 \u202Eabc\u2066d\u2069 \u200F\u061C "ü 👩‍🚀" \\u009b',
    ['\u202A']: ['\u001B[31m'],
  }
  for (const print of [jsonLine, jsonLines]) {
    const printed = print(value)
    expect(JSON.parse(printed)).toEqual(value)
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  }
  expect(jsonLine('\u009B\u202Eü')).toBe('"\\u009b\\u202eü"\n')
  expect(jsonLines({ a: 1 })).toBe('{\n  "a": 1\n}\n')
})
