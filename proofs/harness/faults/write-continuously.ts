// Writers with a few changes per commit, and a loader with many. Each has its own keys.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommitReceipt } from '@octavo/protocol'
import type { Random } from '../random.ts'
import type { CommitOracle } from './commit-oracle.ts'
import { lineOf, type Change } from './fault-objects.ts'
import { sendCommit, type CommitTarget } from './send-commit.ts'

export interface Writing {
  readonly target: CommitTarget
  readonly oracle: CommitOracle
  /** Returns an edition that is not used elsewhere. */
  readonly nextEdition: () => number
  readonly goesOn: () => boolean
  readonly acknowledged: (receipt: { readonly replayed: boolean }) => void
}

export interface Writer {
  readonly name: string
  readonly random: Random
  readonly keys: readonly string[]
  readonly mostChanges: number
  readonly pauseMilliseconds: number
}

/** Every third key is deleted now and then; the others are never deleted. */
export const isNeverDeleted = (key: string): boolean => Number(key.slice(1)) % 3 !== 0

export async function writeContinuously(writing: Writing, writer: Writer): Promise<void> {
  const { random, keys, mostChanges, pauseMilliseconds } = writer
  for (let number = 1; writing.goesOn(); number += 1) {
    const first = random.below(keys.length)
    const count = Math.min(1 + random.below(mostChanges), keys.length)
    const changes = Array.from({ length: count }, (_, i): Change => {
      const key = keys[(first + i) % keys.length] ?? ''
      const deletes = !isNeverDeleted(key) && random.next() < 0.4
      return { key, edition: deletes ? undefined : writing.nextEdition() }
    })
    await commit(writing, `${writer.name}-${number}`, changes)
    await sleep(random.next() * pauseMilliseconds)
  }
}

export async function commit(
  { target, oracle, acknowledged }: Writing,
  idempotencyKey: string,
  changes: readonly Change[],
): Promise<CommitReceipt> {
  const receipt = await sendCommit(target, idempotencyKey, changes.map(lineOf))
  oracle.record(idempotencyKey, Number(receipt.version), changes)
  acknowledged(receipt)
  return receipt
}
