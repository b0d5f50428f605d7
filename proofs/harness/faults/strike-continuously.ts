// Causes faults one after another until the time is over, each while requests are in flight; then reports how often each
// struck, and how long the service took to answer again.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, type Proof } from '../prove.ts'
import type { Random } from '../random.ts'
import { inRandomRounds, type Fault } from './faults.ts'
import type { MixedLoad } from './mixed-load.ts'
import { answersAgain, type Answering } from './recovery.ts'

interface Record {
  hit: number
  readonly milliseconds: number[]
}

export type FaultRecords = ReadonlyMap<Fault, Record>

export interface Striking {
  readonly faults: readonly Fault[]
  readonly random: Random
  readonly load: Pick<MixedLoad, 'underWay' | 'throwIfFailed'>
  readonly answering: Answering
  readonly seconds: number
  /** The least number of faults of each kind, whatever the time. */
  readonly atLeast: number
}

/** A fault that finds fewer requests in flight than this proves nothing. */
const fewestUnderWay = 2

export async function strikeContinuously(proof: Proof, striking: Striking): Promise<FaultRecords> {
  const { faults, random, load, answering, seconds, atLeast } = striking
  const records = new Map(faults.map((fault) => [fault, { hit: 0, milliseconds: [] as number[] }]))
  const isEnough = () => [...records.values()].every(({ milliseconds }) => milliseconds.length >= atLeast)
  const until = performance.now() + seconds * 1_000
  for (const fault of inRandomRounds(faults, random)) {
    if (performance.now() > until && isEnough()) return records
    await sleep(300 + random.below(1_200))
    for (let tries = 0; tries < 100 && load.underWay() < fewestUnderWay; tries += 1) await sleep(5)
    load.throwIfFailed()
    const record = records.get(fault)
    expect(record !== undefined, `${fault.name} has no record`)
    if (load.underWay() >= fewestUnderWay) record.hit += 1
    const mend = await fault.strike()
    const milliseconds = await answersAgain(answering)
    record.milliseconds.push(milliseconds)
    await mend?.()
    if (proof.short) proof.say(`${fault.name}: answers again after ${inSeconds(milliseconds)}`)
  }
  return records
}

export function sayFaults(proof: Proof, records: FaultRecords): void {
  for (const [{ name }, { hit, milliseconds }] of records) {
    const sorted = milliseconds.toSorted((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0
    proof.say(
      `${name}: ${milliseconds.length} times, ${hit} of them with requests under way; answered again after ${inSeconds(median)} (median), ${inSeconds(sorted.at(-1) ?? 0)} (worst)`,
    )
  }
}

export function worstOfDatabase(records: FaultRecords): number {
  const ofDatabase = [...records].filter(([{ isOfDatabase }]) => isOfDatabase)
  return Math.max(0, ...ofDatabase.flatMap(([, { milliseconds }]) => milliseconds))
}

export const inSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(2)} s`
