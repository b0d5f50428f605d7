import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { jsonLine, jsonLines, printable } from './printed-value.ts'
import { yamlText } from './yaml-text.ts'

it('a value printed as JSON or YAML is the same value, and nothing in it acts on a terminal', () => {
  const value = {
    text: 'a\u009B31m\u007F\u0085 \u202Eabc\u2066d\u2069 \u200F\u061C "ü 👩‍🚀" \\u009b',
    ['\u202A']: ['\u001B[31m'],
  }
  for (const [print, read] of [
    [jsonLine, JSON.parse],
    [jsonLines, JSON.parse],
    [yamlText, (text: string): unknown => parse(text)],
  ] as const) {
    const printed = print(value)
    expect(read(printed)).toEqual(value)
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  }
  expect(jsonLine('\u009B\u202Eü')).toBe('"\\u009b\\u202eü"\n')
  expect(jsonLines({ a: 1 })).toBe('{\n  "a": 1\n}\n')
  expect(yamlText({ a: 'b' })).toBe('a: b\n')
})

it('a message keeps its lines and loses what a terminal acts on', () => {
  expect(printable('It is "\u001B[31mx\u202E".\n  octavo get\tx\n')).toBe(
    'It is "\uFFFD[31mx\uFFFD".\n  octavo get\tx\n',
  )
})
