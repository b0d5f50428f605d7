// Every commit that was sent: those that may still be pending, and those whose receipt is in the model.
import type { ModelChange } from '@octavo/model'
import type { CommitReceipt } from '@octavo/protocol'
import { isDeepStrictEqual } from 'node:util'
import type { ModelledType } from './modelled-type.ts'

export interface LedgerPart {
  readonly modelled: ModelledType
  readonly changes: readonly ModelChange[]
}

interface Recorded {
  readonly parts: readonly LedgerPart[]
  readonly receipt: CommitReceipt
}

export class CommitLedger {
  readonly recorded: Recorded[] = []
  readonly #onTheirWay = new Set<Promise<void>>()

  /** Sends a commit and adds it to the models when its receipt arrives. */
  async send(parts: readonly LedgerPart[], commit: () => Promise<CommitReceipt>): Promise<CommitReceipt> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onTheirWay.add(promise)
    try {
      const receipt = await commit()
      this.record(parts, receipt)
      return receipt
    } finally {
      this.#onTheirWay.delete(promise)
      resolve()
    }
  }

  record(parts: readonly LedgerPart[], receipt: CommitReceipt): void {
    for (const { modelled, changes } of parts)
      for (const { key, object } of changes) modelled.versions.record(Number(receipt.version), key, object)
    this.recorded.push({ parts, receipt })
  }

  /** Once it resolves, the models know every version that any reader can have seen before the call. */
  async complete(): Promise<void> {
    await Promise.all(this.#onTheirWay)
  }

  /** Receipts whose counts differ from the model; call it only while no commit is pending. */
  wrongReceipts(): readonly string[] {
    return this.recorded.flatMap(({ parts, receipt }) => {
      const expected = { created: 0, updated: 0, deleted: 0, unchanged: 0 }
      for (const part of parts) countChanges(part, Number(receipt.version), expected)
      const { created, updated, deleted, unchanged } = receipt
      const counts = { created, updated, deleted, unchanged }
      return isDeepStrictEqual(counts, expected)
        ? []
        : [`version ${receipt.version}: ${JSON.stringify(counts)} instead of ${JSON.stringify(expected)}`]
    })
  }
}

function countChanges(
  { modelled: { versions }, changes }: LedgerPart,
  version: number,
  counts: Record<'created' | 'updated' | 'deleted' | 'unchanged', number>,
): void {
  for (const key of new Set(changes.map((change) => change.key))) {
    const before = versions.at(key, version - 1)
    const after = versions.at(key, version)
    if (isDeepStrictEqual(before, after)) counts.unchanged += 1
    else if (after === undefined) counts.deleted += 1
    else if (before === undefined) counts.created += 1
    else counts.updated += 1
  }
}
