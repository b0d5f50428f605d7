// Commits while the server is killed again and again, always through the same store. After each restart the database is
// compared with the model, which has exactly the commits that were acknowledged or are found by their key.
import { type Random, seededRandom } from '@octavo/model'
import type { CommitReceipt } from '@octavo/protocol'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestStore } from '../open-test-store.ts'
import { employeeDefinition } from '../employee.ts'
import { partOf } from '../put-object.ts'
import { checkAfterCrash, receiptOfKey } from './check-after-crash.ts'
import { CommitLedger } from './commit-ledger.ts'
import type { Attempt, CrashTally } from './crash-tally.ts'
import { deviceDefinition } from './device.ts'
import { devices, employees, type ModelledType } from './modelled-type.ts'
import { inChunks, makeChanges } from './write-load.ts'

export interface CrashOptions {
  readonly store: TestStore
  readonly server: { readonly kill: () => Promise<void>; readonly start: () => Promise<void> }
  readonly seed: number
  readonly rounds: number
}

const writers = 6
const keyCount = 200
const leastCommitsBeforeCrash = 20

export async function runCrashes({ store, server, seed, rounds }: CrashOptions): Promise<CrashTally> {
  const random = seededRandom(seed)
  const ontology = await store.applyOntology({ apiName: `crash-${seed}`, displayName: 'Crash' })
  const types = [
    employees(await store.applyObjectType(ontology, employeeDefinition), keyCount),
    devices(await store.applyObjectType(ontology, deviceDefinition), keyCount),
  ] as const
  const ledger = new CommitLedger()
  const tally: CrashTally = {
    acknowledged: 0,
    unanswered: 0,
    unansweredButThere: 0,
    sentAgain: 0,
    walks: 0,
    objects: 0,
    differences: [],
  }
  const acknowledged: { readonly attempt: Attempt; readonly receipt: CommitReceipt }[] = []

  for (let round = 0; round < rounds; round += 1) {
    const unanswered: Attempt[] = []
    const before = acknowledged.length
    let killed = false
    const write = async (writer: number) => {
      const own = random.branch(round * writers + writer)
      for (let number = 0; ; number += 1) {
        const attempt = makeAttempt(store, types, { random: own, key: `${round}-${writer}-${number}` })
        try {
          acknowledged.push({ attempt, receipt: await ledger.send(attempt.parts, attempt.send) })
        } catch (error) {
          if (!killed) tally.differences.push(`${attempt.key} failed before the crash: ${String(error)}`)
          unanswered.push(attempt)
          return
        }
      }
    }
    const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
    while (acknowledged.length - before < leastCommitsBeforeCrash && unanswered.length === 0) await sleep(10)
    await sleep(random.integer(0, 200))
    killed = true
    await server.kill()
    await writing
    await server.start()

    for (const attempt of unanswered) await settle(attempt, { store, ledger, random, tally })
    tally.acknowledged = acknowledged.length
    tally.unanswered += unanswered.length
    await checkAfterCrash({ store, types, ledger, random, tally, acknowledged: acknowledged.slice(before) })
  }
  return tally
}

function makeAttempt(
  store: TestStore,
  types: readonly [ModelledType, ModelledType],
  { random, key }: { readonly random: Random; readonly key: string },
): Attempt {
  const idempotency = { key, digest: key }
  const choice = random.unit()
  const chosen = choice < 0.2 ? types : [random.pick(types)]
  const size = choice < 0.6 ? 1 : random.integer(2, 300)
  const parts = chosen.map((modelled) => ({ modelled, changes: makeChanges(modelled, random, size) }))
  const ready = parts.map(({ modelled, changes }) => partOf(modelled.type, changes))
  const [only] = ready
  const send =
    choice > 0.8 && only !== undefined
      ? () => store.stage({ chunks: inChunks(only), idempotency: { key, digest: () => key } })
      : () => store.commit({ parts: ready, idempotency })
  return { parts, key, send }
}

interface Settling {
  readonly store: TestStore
  readonly ledger: CommitLedger
  readonly random: Random
  readonly tally: CrashTally
}

/** There was no answer: the commit is there for all of its types or for none, and a retry applies it once. */
async function settle(attempt: Attempt, { store, ledger, random, tally }: Settling): Promise<void> {
  const found = await receiptOfKey(store, attempt)
  if (found === 'partly') {
    tally.differences.push(`${attempt.key} is there for some of its types only`)
    return
  }
  if (found !== undefined) {
    tally.unansweredButThere += 1
    ledger.record(attempt.parts, found)
  }
  if (random.chance(0.5)) return
  tally.sentAgain += 1
  const receipt = await attempt.send()
  if (receipt.replayed !== (found !== undefined))
    tally.differences.push(`${attempt.key} was made twice or never`)
  if (found === undefined) ledger.record(attempt.parts, receipt)
  else if (receipt.version !== found.version) tally.differences.push(`${attempt.key} has two versions`)
}
