import { expect, it } from 'vitest'
import { Parameters } from './sql-query.ts'

it('every value has its own placeholder with its type, even if it was added before', () => {
  const parameters = new Parameters()
  const places = [
    parameters.add('x', 'text'),
    parameters.add('x', 'text'),
    parameters.add(null, 'text'),
    parameters.add('#3', 'text'),
    parameters.add(['a', null], 'text[]'),
    parameters.add(1, 'bigint'),
  ]
  expect(places).toEqual(['$1::text', '$2::text', '$3::text', '$4::text', '$5::text[]', '$6::bigint'])
  expect(parameters.values).toEqual(['x', 'x', null, '#3', ['a', null], 1])
})
