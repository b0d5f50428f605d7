// What must hold of the counts: what we promise, and that the commits were in the way at all.
import { expect, type Proof } from '../harness/prove.ts'
import { keysetName, octavoDefault, octavoSnapshot, offsetName, postgraphileName } from './contestants.ts'
import { orders, type Order } from './employee.ts'
import { describeTally, type LostTally } from './lost-tally.ts'
import type { JudgedWalk } from './walk-together.ts'

/** With fewer commits during a walk, on average, losing nothing would be no merit. */
const leastCommits = 5

export interface Counted {
  /** Of walks while others wrote. */
  readonly tallies: readonly LostTally[]
  /** Walks while nobody wrote. */
  readonly quiet: readonly JudgedWalk[]
}

export async function judgeTallies(proof: Proof, { tallies, quiet }: Counted): Promise<void> {
  const of = (...names: readonly string[]) => tallies.filter(({ contestant }) => names.includes(contestant))
  const inOrderOf = (order: Order, ...names: readonly string[]) =>
    of(...names).filter((tally) => tally.order === order)
  const inBothOrders = (name: string) => {
    expect(of(name).length === orders.length, `${name} walked in ${of(name).length} orders, not in all`)
    return of(name)
  }

  await proof.point('While nobody writes, every contestant returns exactly what is there', async () => {
    const wrong = quiet.find(({ isOneState }) => !isOneState)
    expect(wrong === undefined, `${wrong?.contestant}, in the order ${wrong?.order}, did not`)
    return `${quiet.length} walks, before the first commit and after the last`
  })

  await proof.point('Without a snapshot, the same commits make every contestant lose something', async () => {
    for (const tally of tallies) {
      expect(tally.commits >= leastCommits * tally.walks, `too few commits: ${describeTally(tally)}`)
    }
    for (const tally of inBothOrders(offsetName)) {
      expect(
        tally.missed > 0 && tally.repeated > 0 && tally.untouched > 0,
        `it lost nothing: ${describeTally(tally)}`,
      )
    }
    for (const tally of inOrderOf('hiredAt', keysetName, postgraphileName, octavoDefault)) {
      expect(tally.missed > 0 && tally.repeated > 0, `it lost nothing: ${describeTally(tally)}`)
    }
    for (const tally of of(offsetName, keysetName, postgraphileName, octavoDefault)) {
      expect(tally.torn > 0, `it tore nothing: ${describeTally(tally)}`)
    }
    const [{ commits, walks } = { commits: 0, walks: 1 }] = tallies
    return `${(commits / walks).toFixed(1)} commits during a walk, on average`
  })

  await proof.point('P33: in default mode and key order, nothing is missed or repeated', async () => {
    const [tally] = inOrderOf('employeeId', octavoDefault)
    expect(tally?.missed === 0 && tally.repeated === 0, tally ? describeTally(tally) : 'it did not walk')
    return `${tally.walks} walks`
  })

  await proof.point('P34: in default mode and any order, what nobody touches is returned once', async () => {
    const both = inBothOrders(octavoDefault)
    for (const tally of both) expect(tally.untouched === 0, describeTally(tally))
    return `${walksOf(both)} walks`
  })

  await proof.point(
    'P35: from a snapshot, nothing is missed, repeated or torn, in either order',
    async () => {
      const both = inBothOrders(octavoSnapshot)
      for (const tally of both) {
        const { missed, repeated, torn, oneState, walks } = tally
        expect(missed + repeated + torn === 0 && oneState === walks, describeTally(tally))
      }
      return `${walksOf(both)} walks, each exactly one state`
    },
  )
}

const walksOf = (tallies: readonly LostTally[]): number => tallies.reduce((sum, { walks }) => sum + walks, 0)
