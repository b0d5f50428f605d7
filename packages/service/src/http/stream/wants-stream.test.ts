import { expect, it } from 'vitest'
import { wantsStream } from './wants-stream.ts'

it.for([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/*', false],
  ['text/html,application/xhtml+xml,*/*;q=0.8', false],
  ['text/html', false],
  ['application/x-ndjson', true],
  ['Application/X-NDJSON', true],
  ['application/x-ndjson; charset=utf-8', true],
  ['application/x-ndjson, application/json', false],
  ['application/json, application/x-ndjson', false],
  ['application/x-ndjson, application/json;q=0.9', true],
  ['application/x-ndjson;q=0.5, application/json;q=0.9', false],
  ['application/x-ndjson, */*;q=0.1', true],
  ['application/x-ndjson;q=0.1, */*', false],
  ['application/x-ndjson;q=0', false],
  ['application/x-ndjson;q=nonsense', false],
  ['application/json;q=0, */*', true],
  ['application/x-ndjson, application/*;q=0.5', true],
] as const)('P260: with Accept %s, whether a stream is wanted is %s', ([header, expected]) => {
  expect(wantsStream(header)).toBe(expected)
})
