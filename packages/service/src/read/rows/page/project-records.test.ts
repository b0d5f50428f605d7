import { expect, it } from 'vitest'
import { projectRecords } from './project-records.ts'

it('P396: selecting the properties of a large page gives way to others', async () => {
  const record = (i: number) =>
    `{"rid":"r${i}","properties":{"id":"${i}","text":"${'x'.repeat(8_000)}","more":["${'y'.repeat(100)}"]}}`
  const records = Buffer.from(Array.from({ length: 1_000 }, (_, i) => record(i)).join('\n'))
  let turns = 0
  const counting = (): void => {
    turns += 1
    next = setImmediate(counting)
  }
  let next = setImmediate(counting)
  const projected = await projectRecords(records, ['id', 'more'], '1.0')
  clearImmediate(next)
  expect(turns).toBeGreaterThan(1)
  const lines = projected.toString().split('\n')
  expect(lines).toHaveLength(1_000)
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
    rid: 'r999',
    properties: { id: '999', more: ['y'.repeat(100)] },
  })
})
