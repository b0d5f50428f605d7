// Whether what was read is one state: for every writer, exactly what some number of its commits had made.
import { isDeepStrictEqual } from 'node:util'
import { amountOfWriter, type StockWriter } from './moving-stock.ts'
import type { State } from './read-state.ts'

export interface Verdict {
  readonly torn: readonly string[]
  /** For each writer the number of its last commit in the state. */
  readonly last: readonly number[]
}

export function judgeState(writers: readonly StockWriter[], { stock, twice }: State): Verdict {
  const torn = twice.map((id) => `${id} is in two types`)
  const last = writers.map(({ name, commits }) => {
    const read = [...stock].filter(([, { writer }]) => writer === name)
    // Every commit puts an object with its own number, so the greatest number read is that of the last commit.
    const number = Math.max(...read.map(([, { edition }]) => edition))
    const amount = read.reduce((sum, [, each]) => sum + each.amount, 0)
    if (amount !== amountOfWriter) torn.push(`${name} has ${amount} in all types, not ${amountOfWriter}`)
    const objects = new Map(
      read.map(([id, { store, amount: of, edition }]) => [id, { store, amount: of, edition }]),
    )
    if (!isDeepStrictEqual(objects, commits[number]?.after)) {
      torn.push(`the objects of ${name} are not those after its commit ${number}`)
    }
    return number
  })
  return { torn, last }
}

/** The versions of the types must say the same: the last commit is in all its types, and the next one in none of its. */
export function judgeVersions(
  writers: readonly StockWriter[],
  { versions }: State,
  last: readonly number[],
): readonly string[] {
  return writers.flatMap(({ name, commits }, i) => {
    const number = last[i] ?? 0
    const [included, next] = [commits[number], commits[number + 1]]
    return [
      ...[...(included?.stores ?? [])]
        .filter((store) => (included?.version ?? 0) > Number(versions[store]))
        .map((store) => `commit ${number} of ${name} is in a version of ${store} before its own`),
      ...[...(next?.stores ?? [])]
        .filter((store) => (next?.version ?? Number.POSITIVE_INFINITY) <= Number(versions[store]))
        .map((store) => `commit ${number + 1} of ${name} is missing in ${store}`),
    ]
  })
}
