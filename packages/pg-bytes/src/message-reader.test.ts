import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { messageReader, type TakeRow } from './message-reader.ts'
import { rowBuffers } from './row-buffers.ts'
import { firstRow } from './row-columns.ts'

const message = (code: string, body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(code), length, body])
}
const int16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const text = (value: string) => Buffer.from(`${value}\0`)

const dataRow = (fields: readonly (Buffer | null)[]) =>
  message(
    'D',
    Buffer.concat([
      int16(fields.length),
      ...fields.flatMap((field) => {
        const size = Buffer.alloc(4)
        size.writeInt32BE(field?.length ?? -1)
        return field === null ? [size] : [size, field]
      }),
    ]),
  )
const bindComplete = message('2', Buffer.alloc(0))
const commandComplete = message('C', text('SELECT 1'))
const readyForQuery = message('Z', Buffer.from('I'))

const isDataRow = (received: { readonly name: string }): received is { name: string; fields: unknown[] } =>
  received.name === 'dataRow'

const field = fc.option(fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)))
const results = fc.array(
  fc.record({ binary: fc.boolean(), fields: fc.array(field, { minLength: 1, maxLength: 4 }) }),
  { minLength: 1, maxLength: 6 },
)
const cuts = fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1 })

it('fields arrive as their bytes or as text, as was asked for, however the stream is cut into pieces', () => {
  fc.assert(
    fc.property(results, cuts, (given, sizes) => {
      const stream = Buffer.concat(
        given.flatMap(({ fields }) => [bindComplete, dataRow(fields), commandComplete, readyForQuery]),
      )
      const rows: (readonly unknown[])[] = []
      let completed = 0
      let ended = 0
      const takeRow: TakeRow = (bytes, at, end) => {
        const { takeRow: take, row } = firstRow()
        take(bytes, at, end)
        rows.push(row() ?? [])
      }
      const take = messageReader({
        buffers: rowBuffers({ mostBytes: 1_000_000 }),
        rowTaker: () => (given[ended]?.binary ? takeRow : undefined),
        handle: (received) => {
          if (isDataRow(received)) rows.push(received.fields)
          if (received.name === 'commandComplete') completed += 1
          if (received.name === 'readyForQuery') ended += 1
        },
      })
      // One buffer for all pieces, like the socket's.
      const chunk = Buffer.alloc(120)
      for (let at = 0, i = 0; at < stream.length; i += 1) {
        const size = Math.min(sizes[i % sizes.length] ?? 1, stream.length - at)
        stream.copy(chunk, 0, at, at + size)
        take(chunk.subarray(0, size))
        at += size
      }
      // Checked after the whole stream: rows that were handed over must not change when more arrives.
      expect(rows).toEqual(
        given.map(({ binary, fields }) => fields.map((each) => (binary ? each : (each?.toString() ?? null)))),
      )
      expect(ended).toBe(given.length)
      // These messages are not passed on for statements that take bytes.
      expect(completed).toBe(given.filter(({ binary }) => !binary).length)
    }),
    { numRuns: 1_000 },
  )
})
