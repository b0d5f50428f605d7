import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { StaleDefinition } from '../../../catalog/stale-definition.ts'
import { chooseOrder } from '../../plan/choose-order.ts'
import { rowBuffers } from '@octavo/pg-bytes'
import { recordSeparator, recordStart } from '../../sql/record-text.ts'
import { employeeDefinition } from '../../../../test/support/employee.ts'
import { unsavedType } from '../../../../test/support/unsaved-type.ts'
import { gatherRecords, type GatherOptions } from './gather-records.ts'

const type = unsavedType(employeeDefinition)
const clock = `7 3 90 ${type.revision} ${type.revisionTag} 400 5 abc 80 17 4`

const rowOf = (fields: readonly (string | null)[]): Buffer => {
  const count = Buffer.alloc(2)
  count.writeInt16BE(fields.length)
  const columns = fields.flatMap((field) => {
    const bytes = Buffer.from(field ?? '')
    const size = Buffer.alloc(4)
    size.writeInt32BE(field === null ? -1 : bytes.length)
    return [size, bytes]
  })
  return Buffer.concat([count, ...columns])
}

interface Given extends Partial<GatherOptions> {
  readonly pageSize?: number
  readonly by?: Parameters<typeof chooseOrder>[1]
  readonly rows: readonly (readonly (string | null)[])[]
}

function gather({ pageSize = 10, by = [], rows, ...options }: Given) {
  const gathering = gatherRecords({
    buffers: rowBuffers({ mostBytes: 1_000_000 }),
    plan: {
      type,
      record: '2.0',
      order: chooseOrder(type, by),
      position: undefined,
      at: { kind: 'latest' },
      pageSize,
      byteBudget: 1_000_000,
    },
    expectedBytes: 0,
    mayEndEarly: true,
    withEscapes: true,
    wants: () => true,
    ...options,
  })
  for (const fields of rows) {
    const row = rowOf(fields)
    const chunk = Buffer.concat([Buffer.from('...'), row, Buffer.from('...')])
    gathering.takeRow(chunk, 3, 3 + row.length)
    // The socket likewise overwrites its buffer with what it reads next.
    chunk.fill('x')
  }
  const { records, giveBack: _giveBack, hasBackslash: _hasBackslash, ...rest } = gathering.end()
  return { ...rest, records: records.toString() }
}

const record = (key: string) => `${recordStart('2.0', type)}${JSON.stringify(key)},"objectType":"x"`
const byAge = [{ property: 'age', direction: 'asc' as const }]

it('joins the records, however large they are and however little was expected, and keeps the last position', () => {
  const texts = fc.array(fc.string({ minLength: 1, maxLength: 40_000, unit: 'binary' }), { maxLength: 12 })
  fc.assert(
    fc.property(texts, fc.boolean(), fc.boolean(), (given, mayEndEarly, inKeyOrder) => {
      const keys = given.map((text, i) => (inKeyOrder ? [text] : [text.length > 3 ? null : text, `é${i}`]))
      const rows = given.map((text, i) => [record(text), ...(inKeyOrder ? [] : (keys[i] ?? []))])
      const page = gather({ rows: [[clock], ...rows], mayEndEarly, by: inKeyOrder ? [] : byAge })
      const objects = Math.min(given.length, 10)
      expect(page).toEqual({
        shape: '2.0',
        clock: {
          version: '7',
          floor: '3',
          live: '90',
          revision: type.revision,
          revisionTag: type.revisionTag,
          largest: 400,
          tag: 'abc',
          snapshotLive: '80',
          checksum: '17',
          epoch: 5,
          snapshotEpoch: 4,
        },
        objects,
        more: given.length > 10,
        timedOut: false,
        position: given.length > 10 ? keys[9] : undefined,
        records: given.slice(0, 10).map(record).join('').slice(recordSeparator('2.0').length),
      })
    }),
    { numRuns: 300 },
  )
})

it('ends at a record that did not fit, and what comes after it does not count', () => {
  const rows = [
    [clock, null, null],
    [record('a'), '1', 'a'],
    [null, '2', 'b'],
    [record('c'), '3', 'c'],
  ]
  const expected = { objects: 1, more: true, records: record('a').slice(recordSeparator('2.0').length) }
  expect(gather({ rows })).toMatchObject({ ...expected, position: ['a'] })
  expect(gather({ rows, by: byAge })).toMatchObject({ ...expected, position: ['1', 'a'] })
})

it('nothing is taken of a page that is not wanted', () => {
  const rows = [
    [clock, null],
    [record('a'), 'a'],
  ]
  expect(gather({ rows, wants: ({ largest }) => largest < 400 })).toMatchObject({ objects: 0, records: '' })
})

it('a page without its clock, or of another definition, is refused once it has been read', () => {
  const stale = clock.replace(` ${type.revision} `, ' 99 ')
  for (const rows of [
    [],
    [[record('a'), 'a']],
    [
      ['', null],
      [clock, null],
    ],
    [
      [stale, null],
      [record('a'), 'a'],
    ],
  ]) {
    expect(() => gather({ rows })).toThrow(StaleDefinition)
  }
})
