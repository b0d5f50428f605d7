// Contestants alternate within every round, so that the machine's other work affects all of them alike.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '@octavo/dev-database'
import type { Contestant } from '../contestants/contestant.ts'
import { describeKind, type PageKind } from '../contestants/page-kind.ts'
import { cpuSecondsOf, cpuSecondsOfCluster } from '../../harness/cpu-time.ts'
import { median, spread } from '../../harness/statistics.ts'

/** Contestants with the same pages, at a number of connections. The others are compared with the first. */
export interface Cell {
  readonly kind: PageKind
  readonly connections: number
  readonly contestants: readonly Contestant[]
}

interface Round {
  readonly pagesPerSecond: number
  /** Relative to the first contestant of the cell, in the same round. */
  readonly ratio: number
  readonly serviceCpuSeconds: number
  readonly databaseCpuSeconds: number
}

export interface Rate {
  readonly kind: PageKind
  readonly connections: number
  readonly name: string
  readonly rounds: readonly Round[]
  readonly pagesPerSecond: number
  readonly objectsPerSecond: number
  readonly spread: number
  readonly ratio: number
  /** Per million objects. */
  readonly serviceCpuSeconds: number
  readonly databaseCpuSeconds: number
}

export interface RateOptions {
  readonly cluster: Cluster
  readonly rounds: number
  readonly seconds: number
  /**
   * Whether each gets some seconds of load before its first round: until then a JavaScript service still compiles its code.
   */
  readonly warmUp: boolean
  readonly say: (line: string) => void
}

const warmUpSeconds = 6

export async function measureRates(cells: readonly Cell[], options: RateOptions): Promise<readonly Rate[]> {
  const rounds = new Map<Contestant, Map<Cell, Round[]>>()
  for (let number = 1; number <= options.rounds; number += 1) {
    const isForward = number % 2 === 1
    for (const cell of isForward ? cells : cells.toReversed()) {
      const measured = new Map<Contestant, Omit<Round, 'ratio'>>()
      for (const contestant of inTurn(cell, isForward)) {
        if (options.warmUp && !rounds.has(contestant) && contestant.pids.length > 0)
          await contestant.load({ connections: cell.connections, seconds: warmUpSeconds })
        measured.set(contestant, await measureOnce(contestant, cell, options))
      }
      const [first] = cell.contestants
      const firstRate = (first && measured.get(first)?.pagesPerSecond) ?? 0
      for (const [contestant, round] of measured) {
        const ofContestant = rounds.get(contestant) ?? new Map<Cell, Round[]>()
        rounds.set(contestant, ofContestant)
        const ofCell = ofContestant.get(cell) ?? []
        ofContestant.set(cell, ofCell)
        ofCell.push({ ...round, ratio: round.pagesPerSecond / firstRate })
      }
    }
    options.say(`round ${number} of ${options.rounds} done`)
  }
  return cells.flatMap((cell) =>
    cell.contestants.map((contestant) =>
      summarise(cell, contestant, rounds.get(contestant)?.get(cell) ?? []),
    ),
  )
}

/**
 * Contestants are compared within a few seconds, because after ten the machine may behave differently: the second
 * contestant, which is ours, comes right after all others, and its snapshot pages right after its latest ones. Every second
 * round runs backwards, so that a machine that steadily becomes slower or faster favours no contestant.
 */
function inTurn({ kind, contestants }: Cell, isForward: boolean): readonly Contestant[] {
  const [bare, ours, ...others] = contestants
  const pair = [bare, ours].filter((contestant) => contestant !== undefined)
  const forward = kind.mode === 'latest' ? [...others, ...pair] : [...pair.toReversed(), ...others]
  return isForward ? forward : forward.toReversed()
}

async function measureOnce(
  contestant: Contestant,
  { kind, connections }: Cell,
  { cluster, seconds }: RateOptions,
): Promise<Omit<Round, 'ratio'>> {
  const service = cpuSecondsOf(contestant.pids)
  const database = cpuSecondsOfCluster(cluster)
  const result = await contestant.load({ connections, seconds }).catch((error: Error) => {
    throw new Error(`${contestant.name}, ${describeKind(kind)}, ${connections} connections: ${error.message}`)
  })
  // While a backend is ending, its CPU time is not counted anywhere for a moment.
  await sleep(100)
  const millions = (result.pages * contestant.pageSize) / 1e6
  return {
    pagesPerSecond: result.pages / result.seconds,
    serviceCpuSeconds: (cpuSecondsOf(contestant.pids) - service) / millions,
    databaseCpuSeconds: (cpuSecondsOfCluster(cluster) - database) / millions,
  }
}

function summarise({ kind, connections }: Cell, { name }: Contestant, rounds: readonly Round[]): Rate {
  const of = (field: keyof Round) => median(rounds.map((round) => round[field]))
  return {
    kind,
    connections,
    name,
    rounds,
    pagesPerSecond: of('pagesPerSecond'),
    objectsPerSecond: of('pagesPerSecond') * kind.pageSize,
    spread: spread(rounds.map(({ pagesPerSecond }) => pagesPerSecond)),
    ratio: of('ratio'),
    serviceCpuSeconds: of('serviceCpuSeconds'),
    databaseCpuSeconds: of('databaseCpuSeconds'),
  }
}
