import type { Proof } from '../harness/prove.ts'

export function numberOf({ given }: Proof, name: string, otherwise: number): number {
  const number = Number(given[name] ?? otherwise)
  if (!(number > 0)) throw new RangeError(`--${name} takes a number above zero.`)
  return number
}

/** Said, so that the same can be chosen again. */
export function seedOf(proof: Proof): number {
  const seed = numberOf(proof, 'seed', (Date.now() % 1_000_000) + 1)
  proof.say(`seed ${seed}`)
  return seed
}
