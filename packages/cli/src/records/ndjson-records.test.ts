import { expect, it } from 'vitest'
import { gathered } from '../../test/support/byte-chunks.ts'
import { mostRecordBytes } from './line-rules.ts'
import { ndjsonRecords } from './ndjson-records.ts'
import { splitLines } from './split-lines.ts'

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const recordsOf = async (bytes: Buffer | string, type: 'string' | 'long' | 'timestamp' = 'string') =>
  (
    await gathered(
      ndjsonRecords(splitLines(once(Buffer.from(bytes as string)), { mostBytes: mostRecordBytes }), {
        name: 'id',
        type,
      }),
    )
  ).flat()

it('a line is sent as it was written, and its key is known', async () => {
  const text = '\uFEFF{"id": "a", "n": 1.50}\r\n\n  \t\n{"id":"b"}'
  const records = await recordsOf(text)
  expect(
    records.map((record) =>
      record.kind === 'good' ? [record.line, String(record.json), record.key] : record,
    ),
  ).toEqual([
    [1, '{"id": "a", "n": 1.50}', 'a'],
    [4, '{"id":"b"}', 'b'],
  ])
})

it('a line that is not an object is reported with its number and the reason', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"id":1\n[1]\nnull\n'),
    Buffer.from('{"id":"caf'),
    Buffer.from([0xe9]),
    Buffer.from('"}\n{"id":"ok"}\n'),
  ])
  const records = await recordsOf(bytes)
  expect(records.map((record) => [record.line, record.kind === 'bad' ? record.problem : record.key])).toEqual(
    [
      [
        1,
        "must be JSON on one line: Expected ',' or '}' after property value in JSON at position 7 (line 1 column 8)",
      ],
      [
        2,
        "must be a JSON object, the properties of one object, and is a list: write each object on its own line, for example with jq -c '.[]'",
      ],
      [3, 'must be a JSON object: the properties of one object, such as {"id": 1}'],
      [
        4,
        'must be UTF-8: byte 11 of the line is E9; convert the file, for example with iconv -f WINDOWS-1252 -t UTF-8',
      ],
      [5, 'ok'],
    ],
  )
})

it('two records of one object never have different keys', async () => {
  const keys = async (type: 'long' | 'timestamp', ...values: readonly unknown[]) =>
    new Set(
      (await recordsOf(values.map((id) => JSON.stringify({ id })).join('\n'), type)).map(
        (record) => 'key' in record && record.key,
      ),
    )
  expect(await keys('long', 7, '7')).toEqual(new Set(['7']))
  expect((await keys('timestamp', '2021-05-01T12:00:00Z', '2021-05-01T14:00:00.000+02:00')).size).toBe(1)
})
