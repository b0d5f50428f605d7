// Every acknowledged commit by its version. What a walk must have read at a version is known once all commits up to that
// version are acknowledged: writers retry a commit until it is, so no version stays unknown.
import { ObjectVersions } from '@octavo/model'
import type { Change, Edition } from './fault-objects.ts'

export interface AcknowledgedCommit {
  readonly idempotencyKey: string
  readonly version: number
}

export class CommitOracle {
  readonly acknowledged: AcknowledgedCommit[] = []
  readonly problems: string[] = []
  readonly #editions = new ObjectVersions<number>()
  readonly #early = new Map<number, readonly Change[]>()
  #known = 0

  /** Every version up to this one is known. */
  get known(): number {
    return this.#known
  }

  record(idempotencyKey: string, version: number, changes: readonly Change[]): void {
    this.acknowledged.push({ idempotencyKey, version })
    if (version <= this.#known || this.#early.has(version)) {
      this.problems.push(`version ${version} was acknowledged twice, the second time to ${idempotencyKey}`)
      return
    }
    this.#early.set(version, changes)
    for (;;) {
      const next = this.#early.get(this.#known + 1)
      if (next === undefined) return
      this.#known += 1
      this.#early.delete(this.#known)
      for (const { key, edition } of next) this.#editions.record(this.#known, key, edition)
    }
  }

  /** The editions of all keys, in key order. The version must be known. */
  editionsAt(version: number): readonly Edition[] {
    const all = [...this.#editions.allAt(version)].map(([key, edition]) => ({ key, edition }))
    return all.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  }

  editionAt(key: string, version: number): number | undefined {
    return this.#editions.at(key, version)
  }
}
