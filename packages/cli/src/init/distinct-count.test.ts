import { expect, it } from 'vitest'
import { countedOfEveryColumn, distinctCount } from './distinct-count.ts'

it('counts what is different and what repeats, exactly', () => {
  const count = distinctCount({ toTheEnd: true })
  for (let i = 0; i < 200_000; i += 1) count.add(`value ${i}`)
  count.add('value 7')
  count.add('')
  expect([count.distinct(), count.repeated(), count.isExact()]).toEqual([200_001, 1, true])
})

it('stops where the values repeat too often to be a key, or the column is not counted to the end', () => {
  const often = distinctCount({ toTheEnd: true })
  for (let i = 0; i < 100_000; i += 1) often.add(String(i % 50_000))
  const other = distinctCount({ toTheEnd: false })
  for (let i = 0; i < 100_000; i += 1) other.add(String(i))
  expect([often.isExact(), other.isExact(), other.distinct()]).toEqual([false, false, countedOfEveryColumn])
})
