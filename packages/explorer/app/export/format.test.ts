import { expect, it } from 'vitest'
import { headOf, lineOf } from './format.ts'

const object = {
  primaryKey: '1',
  objectType: 'thing',
  properties: { id: '1', text: 'a "b",\nc', many: ['x', 'y'], flag: false },
}

it('a line of CSV quotes what needs it, and leaves out what has no value', () => {
  expect(headOf('csv', ['id', 'te,xt'])).toBe('id,"te,xt"\r\n')
  expect(lineOf('csv', ['id', 'text', 'gone', 'many', 'flag'], object)).toBe(
    '1,"a ""b"",\nc",,"[""x"",""y""]",false\r\n',
  )
})

it('a line of NDJSON has every property, whatever is shown', () => {
  expect(headOf('ndjson', ['id'])).toBe('')
  expect(JSON.parse(lineOf('ndjson', ['id'], object))).toEqual(object.properties)
})
