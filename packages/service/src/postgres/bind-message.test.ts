// As the frontend/backend protocol has it: https://www.postgresql.org/docs/current/protocol-message-formats.html
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SqlValue } from '../sql/sql-query.ts'
import { bindMessage } from './bind-message.ts'

function readMessages(bytes: Buffer): readonly { readonly code: string; readonly body: Buffer }[] {
  const messages = []
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readInt32BE(at + 1)
    messages.push({
      code: bytes.toString('latin1', at, at + 1),
      body: bytes.subarray(at + 5, at + 1 + length),
    })
    at += 1 + length
  }
  return messages
}

function readBind(body: Buffer) {
  let at = 0
  const text = () => {
    const end = body.indexOf(0, at)
    const read = body.toString('utf8', at, end)
    at = end + 1
    return read
  }
  const int16 = () => body.readInt16BE((at += 2) - 2)
  const int16s = () => Array.from({ length: int16() }, int16)
  const value = () => {
    const length = body.readInt32BE((at += 4) - 4)
    return length === -1 ? null : body.toString('utf8', at, (at += length))
  }
  const portal = text()
  const statement = text()
  const formats = int16s()
  const values = Array.from({ length: int16() }, value)
  return { portal, statement, formats, values, columns: int16s(), left: body.length - at }
}

const value: fc.Arbitrary<SqlValue> = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
)

it('binds every value in its place, whether it is always the same or not', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ value, before: value, differs: fc.boolean() })),
      fc.string({ unit: 'grapheme-ascii', minLength: 1 }),
      (parameters, name) => {
        const shape = {
          text: 'select',
          values: parameters.map(({ value: now, before, differs }) => (differs ? before : now)),
          places: parameters.flatMap(({ differs }, i) => (differs ? [i] : [])),
        }
        const values = parameters.map(({ value: now }) => now)
        // Once with other values and another name, of which nothing may be left.
        bindMessage(`${name}x`, shape, shape.values)
        const [bind, execute, sync, ...more] = readMessages(bindMessage(name, shape, values))
        expect(bind && { code: bind.code, ...readBind(bind.body) }).toEqual({
          code: 'B',
          portal: '',
          statement: name,
          formats: [],
          values: values.map((given) => (given === null ? null : String(given))),
          columns: [1],
          left: 0,
        })
        expect(execute).toEqual({ code: 'E', body: Buffer.alloc(5) })
        expect(sync).toEqual({ code: 'S', body: Buffer.alloc(0) })
        expect(more).toEqual([])
      },
    ),
  )
})
