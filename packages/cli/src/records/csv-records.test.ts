import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { gathered, inChunks } from '../../test/support/byte-chunks.ts'
import { columnsOf, type MissingColumns } from './csv-header.ts'
import { csvRecords } from './csv-records.ts'
import { mostRecordBytes } from './line-rules.ts'
import { splitLines } from './split-lines.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const definition = defineType('item', {
  id: 'string',
  note: 'string',
  age: 'integer',
  price: 'decimal',
  open: 'boolean',
  tags: 'string[]',
})

const recordsOf = async (text: string | Buffer, delimiter = ',', missing: MissingColumns = 'empty') => {
  const header = { definition, file: 'items.csv', delimiter, missing }
  const lines = splitLines(inChunks(Buffer.from(text as string), 7), { mostBytes: mostRecordBytes })
  const groups = csvRecords(lines, {
    delimiter,
    writesNulls: missing === 'kept',
    columns: (first) => columnsOf(first, header),
  })
  return (await gathered(groups)).flat()
}

const shown = async (text: string | Buffer) =>
  (await recordsOf(text)).map((record) => [
    record.line,
    record.kind === 'good' ? String(record.json) : `${record.property ?? 'it'} ${record.problem}`,
  ])

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

it('any quoted text is read back unchanged, with the right line', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          id: fc.string({ minLength: 1, unit: 'grapheme' }),
          note: fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r\n', 'ö', ' ') }),
        }),
      ),
      fc.constantFrom('\n', '\r\n'),
      async (rows, lineEnd) => {
        const text = ['id,note', ...rows.map(({ id, note }) => `${quoted(id)},${quoted(note)}`), ''].join(
          lineEnd,
        )
        const records = await recordsOf(text)
        expect(records.map((record) => record.kind === 'good' && JSON.parse(String(record.json)))).toEqual(
          rows,
        )
        let line = 2
        for (const [i, { id, note }] of rows.entries()) {
          expect(records[i]?.line).toBe(line)
          line += 1 + `${id}${note}`.split('\n').length - 1
        }
      },
    ),
  )
})

it('cells are values of the declared type, or the text that is there, for the service to refuse', async () => {
  const text = [
    'id,age,price,open,tags,note',
    '1,42,12.50,TRUE,"[""x""]",',
    '2,-1e3,007,false,x,""',
    '3,4 2, 1,yes,[],a b',
  ].join('\n')
  expect(await shown(text)).toEqual([
    [2, '{"id":"1","age":42,"price":"12.50","open":true,"tags":["x"]}'],
    [3, '{"id":"2","age":-1e3,"price":"007","open":false,"tags":"x","note":""}'],
    [4, '{"id":"3","age":"4 2","price":" 1","open":"yes","tags":[],"note":"a b"}'],
  ])
})

it('a record of many lines of JSON in a cell becomes one line', async () => {
  const cell = quoted('[\n  "a",\r\n  "b\\n"\n]')
  expect(await shown(`id,tags\n1,${cell}\n2,\n`)).toEqual([
    [2, '{"id":"1","tags":[   "a",   "b\\\\n" ]}'.replaceAll('\\\\', '\\')],
    [6, '{"id":"2"}'],
  ])
})

it('a quote that is never closed costs its line and no other', async () => {
  const others = Array.from({ length: 1_000 }, (_, i) => `${i},plain`)
  const last = await shown(['id,note', 'a,"open', ...others, ''].join('\n'))
  expect(last).toHaveLength(1_001)
  expect(last[0]).toEqual([
    2,
    'note must end with a quote, because it begins with one; a quote inside it is doubled: ""',
  ])
  expect(last.at(-1)).toEqual([1_002, '{"id":"999","note":"plain"}'])

  expect(await shown('id,note\na,"open\nb,"closed"\nc,d')).toEqual([
    [2, 'note must end with a quote, because it begins with one; a quote inside it is doubled: ""'],
    [3, '{"id":"b","note":"closed"}'],
    [4, '{"id":"c","note":"d"}'],
  ])
})

it('invalid CSV is reported with its line and column', async () => {
  expect(await shown('id,note\na,b"c\nd\ne,"f"g\nh,i,j\n\nk,l')).toEqual([
    [2, 'note must be quoted as a whole, with the quotes inside it doubled: ""'],
    [3, 'it must have 2 cells like the header, not 1'],
    [4, 'note must end after its closing quote; a quote inside it is doubled: ""'],
    [5, 'it must have 2 cells like the header, not 3'],
    [7, '{"id":"k","note":"l"}'],
  ])
})

it('a header that does not fit the type ends it at once', async () => {
  await expect(recordsOf('id,agee,x\n')).rejects.toThrow(
    'items.csv, line 1: the columns agee, x are not properties of item, which has id, note, age, price, open, tags.',
  )
  await expect(recordsOf('id,age,id\n')).rejects.toThrow(
    'items.csv, line 1: the column id appears twice: remove one of them.',
  )
  await expect(recordsOf('age,note\n')).rejects.toThrow(
    'items.csv, line 1: there is no column id, the primary key of item: add it.',
  )
  await expect(recordsOf('id;age\n')).rejects.toThrow(
    `items.csv, line 1: the columns seem to be separated by ";": add --delimiter ';'.`,
  )
  await expect(recordsOf('id,no"te\n')).rejects.toThrow(
    'items.csv, line 1: the name of column 2 must be quoted',
  )
  expect(await recordsOf('id;age\n1;2', ';')).toHaveLength(1)
})
