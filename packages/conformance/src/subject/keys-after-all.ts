// Primary keys that no object has: those after the greatest one.
import type { ScalarType, ScalarValue } from '@octavo/protocol'
import { skip } from '../clauses/clause-failure.ts'
import { readPage } from './read-page.ts'
import { keyOf, type Subject } from './subject.ts'
import { loadPage } from './v2-page.ts'

async function greatestKey(subject: Subject): Promise<ScalarValue> {
  const property = subject.type.key.name
  const direction = 'desc'
  if (subject.collection.revision === 'v2') {
    const orderBy = { fields: [{ field: property, direction }] }
    const { records } = await loadPage(subject, 'P42', { pageSize: 1, orderBy })
    // Checked by loadPage: it has the type of a key.
    return (records[0]?.['__primaryKey'] as ScalarValue | undefined) ?? isEmpty()
  }
  const { page } = await readPage(subject, 'P42', { pageSize: 1, orderBy: [{ property, direction }] })
  const [last] = page.data
  return last === undefined ? isEmpty() : keyOf(subject, last)
}

const isEmpty = (): never => skip('the type has become empty')

export const unusedKey = async (subject: Subject): Promise<ScalarValue> =>
  keyAfter(subject.type.key.scalar, await greatestKey(subject), 0)

const dayMilliseconds = 86_400_000

/** Greater than every existing key, and in the order of the numbers. */
export function keyAfter(type: ScalarType, last: ScalarValue, number: number): ScalarValue {
  const step = number + 1
  switch (type) {
    case 'integer':
      return Number(last) + step
    case 'long':
      return String(BigInt(last) + BigInt(step))
    case 'date':
      return new Date(Date.parse(`${String(last)}T00:00:00Z`) + step * dayMilliseconds)
        .toISOString()
        .slice(0, 10)
    case 'timestamp':
      // Whole seconds: the fraction of the last key that `Date` would round away is less than one.
      return new Date(Math.ceil(Date.parse(String(last)) / 1_000) * 1_000 + step * 1_000)
        .toISOString()
        .replace('.000Z', 'Z')
    case 'string':
    case 'boolean':
    case 'double':
    case 'decimal':
      return `${String(last)}~octavo-conformance-${String(step).padStart(6, '0')}`
    default:
      return type satisfies never
  }
}
