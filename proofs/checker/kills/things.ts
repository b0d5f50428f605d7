// Objects by chance.
import type { Chance } from '../chances.ts'
import type { Thing } from './contents.ts'

const mostThings = 12_000

export const thing = ({ below, one }: Chance, number: number): Thing => ({
  id: `k${number}`,
  n: below(1_000),
  ...(below(5) > 0 && { cat: one(['a', 'b', 'c', 'é\u{1F600}']) }),
  ...(below(3) > 0 && { note: `red ${below(100)}` }),
  ...(below(3) > 0 && { tags: Array.from({ length: below(3) }, () => one(['t1', 't2'])) }),
  ...(below(2) > 0 && { big: 'x'.repeat(below(200)) }),
})

/** Of all keys there are, most. */
export function manyThings(chance: Chance): readonly Thing[] {
  const left = 2 + chance.below(8)
  return Array.from({ length: mostThings }, (_, number) => number)
    .filter((number) => number % left !== 0)
    .map((number) => thing(chance, number))
}

export const anyNumber = ({ below }: Chance): number => below(mostThings + 500)
