import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { keyInRecord } from './record-key.ts'
import { foundStart, listedStart } from './record-text.ts'

const type = unsavedType(employeeDefinition)

// read/rows/values-come-back.pg.test.ts covers keys of the other types, as PostgreSQL writes them.
it('any text that is a key is read as it was written, by both revisions', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (key) => {
      const listed = `${listedStart(type)}${Buffer.from(key).toString('hex')}","properties":{"a":"\\"`
      const found = `${foundStart}${JSON.stringify(key)},"objectType":"\\"x"`
      expect(keyInRecord({ record: 'listed', type }, Buffer.from(listed))).toBe(key)
      expect(keyInRecord({ record: 'found', type }, Buffer.from(found))).toBe(key)
    }),
  )
})
