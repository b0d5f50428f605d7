import { apiNameSchema } from '@octavo/protocol'
import * as fc from 'fast-check'
import { Value } from 'typebox/value'
import { expect, it } from 'vitest'
import { columnsOf } from './csv-header.ts'
import { propertyNames } from './property-names.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

it.each([
  ['orderId', 'orderId'],
  ['Order ID', 'orderId'],
  ['order_id', 'orderId'],
  ['ORDER_ID', 'orderId'],
  ['OrderDate', 'orderDate'],
  ['customerID', 'customerID'],
  ['XMLFile', 'xmlFile'],
  ['address.city', 'addressCity'],
  [' Straße & Größe ', 'straEGroE'],
  ['Café', 'cafe'],
  ['2024 sales', 'column2024Sales'],
  ['% of total', 'ofTotal'],
  ['', 'column1'],
  ['日本語', 'column1'],
])('the column %j is the property %s', (column, property) => {
  expect(propertyNames([column])).toEqual([property])
})

it('names that would be the same, or differ only in case, get a number', () => {
  expect(propertyNames(['id', 'ID', 'Order ID', 'order-id', 'order_id2'])).toEqual([
    'id',
    'id2',
    'orderId',
    'orderId2',
    'orderId22',
  ])
  expect(propertyNames(['Order ID', 'orderId'])).toEqual(['orderId2', 'orderId'])
})

it('whatever a header says, its names are API names, and no two are the same', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 20 }), (columns) => {
      const names = propertyNames(columns)
      for (const name of names) expect(Value.Check(apiNameSchema, name), name).toBe(true)
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(columns.length)
    }),
  )
})

it('a type that is declared with these names loads the same header', () => {
  const words = fc.constantFrom('id', 'Id', 'ID', 'order', 'Order', '2', '_', ' ', '-', 'ß', '')
  const header = fc.array(words, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.uniqueArray(header, { minLength: 1, maxLength: 12 }), (columns) => {
      const names = propertyNames(columns)
      const definition = defineType(
        'thing',
        Object.fromEntries(names.map((name) => [name, 'string' as const])),
      )
      const cells = columns.map((text) => ({ text, isQuoted: true }))
      const record = { kind: 'cells', cells, line: 1, raw: Buffer.of(), endByte: 0, endLine: 2 } as const
      const read = columnsOf(record, { definition, file: 'things.csv', delimiter: ',', missing: 'refused' })
      expect(read.map(({ property }) => property)).toEqual(names)
    }),
    { numRuns: 2_000 },
  )
})
