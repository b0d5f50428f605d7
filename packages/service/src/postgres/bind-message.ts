// What is sent for a statement that the server knows already: bind, execute and sync, in one piece. The driver writes each
// value of each message apart; of a statement that is sent again and again most of the bytes are always the same.
import { serialize } from 'pg-protocol'
import { prepareValue } from 'pg/lib/utils.js'
import type { SqlValue, StatementShape } from '../sql/sql-query.ts'

interface Template {
  readonly name: string
  /** What comes before, between and after the values that differ. */
  readonly pieces: readonly Buffer[]
  readonly bytes: number
}

const lengthBytes = 4
/** Of a value, instead of a length. */
const noValue = -1

const int16 = (...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * numbers.length)
  for (const [i, number] of numbers.entries()) bytes.writeInt16BE(number, 2 * i)
  return bytes
}
const int32 = (number: number): Buffer => {
  const bytes = Buffer.alloc(lengthBytes)
  bytes.writeInt32BE(number)
  return bytes
}
const noPortal = Buffer.from('\0')
const afterBind = Buffer.concat([serialize.execute(), serialize.sync()])
/** All values are texts; all columns come as bytes, which for a text is the same. */
const formatsOfValues = int16(0)
const formatsOfColumns = int16(1, 1)
const bindLengthAt = 1

const templates = new WeakMap<StatementShape, Template>()

export function bindMessage(name: string, shape: StatementShape, values: readonly SqlValue[]): Buffer {
  const { pieces, bytes } = templateOf(name, shape)
  const texts = shape.places.map((place) => textOf(values[place] ?? null))
  let size = bytes
  for (const text of texts) size += lengthBytes + (text === null ? 0 : Buffer.byteLength(text))
  const message = Buffer.allocUnsafe(size)
  let at = 0
  for (const [i, piece] of pieces.entries()) {
    at += piece.copy(message, at)
    const text = texts[i]
    if (text === undefined) continue
    const length = text === null ? noValue : message.write(text, at + lengthBytes)
    message.writeInt32BE(length, at)
    at += lengthBytes + Math.max(0, length)
  }
  message.writeInt32BE(size - bindLengthAt - afterBind.length, bindLengthAt)
  return message
}

function templateOf(name: string, shape: StatementShape): Template {
  const known = templates.get(shape)
  // A text that was unused for long gets another name.
  if (known?.name === name) return known
  const made = makeTemplate(name, shape)
  templates.set(shape, made)
  return made
}

function makeTemplate(name: string, { values, places }: StatementShape): Template {
  const pieces: Buffer[] = []
  let piece = [
    Buffer.from('B'),
    int32(0),
    noPortal,
    Buffer.from(`${name}\0`),
    formatsOfValues,
    int16(values.length),
  ]
  for (const [place, value] of values.entries()) {
    if (places.includes(place)) {
      pieces.push(Buffer.concat(piece))
      piece = []
    } else {
      const text = textOf(value)
      const bytes = text === null ? undefined : Buffer.from(text)
      piece.push(int32(bytes?.length ?? noValue), ...(bytes === undefined ? [] : [bytes]))
    }
  }
  pieces.push(Buffer.concat([...piece, formatsOfColumns, afterBind]))
  return { name, pieces, bytes: pieces.reduce((sum, { length }) => sum + length, 0) }
}

const textOf = (value: SqlValue): string | null =>
  value === null || typeof value === 'string' ? value : (prepareValue(value) as string)
