import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { keyInRecord, recordStart } from './record-text.ts'

const type = unsavedType(employeeDefinition)

// read/rows/values-come-back.pg.test.ts covers keys of the other types, as PostgreSQL writes them.
it('any text that is a key is read as it was written, by all revisions', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (key) => {
      const listed = `${recordStart('1.0', type)}${Buffer.from(key).toString('hex')}","properties":{"a":"\\"`
      const found = `${recordStart('2.0', type)}${JSON.stringify(key)},"objectType":"\\"x"`
      const flat = `${recordStart('osdk', type)}${JSON.stringify(key)},"__apiName":"\\"x"`
      expect(keyInRecord({ record: '1.0', type }, Buffer.from(listed))).toBe(key)
      expect(keyInRecord({ record: '2.0', type }, Buffer.from(found))).toBe(key)
      expect(keyInRecord({ record: 'osdk', type }, Buffer.from(flat))).toBe(key)
    }),
  )
})

it('a key that is a number is read from a flat record', () => {
  fc.assert(
    fc.property(fc.integer(), (key) => {
      const flat = `${recordStart('osdk-with-rid', type)}${key},"__apiName":"x"`
      expect(keyInRecord({ record: 'osdk-with-rid', type }, Buffer.from(flat))).toBe(String(key))
    }),
  )
})
