// Every acknowledged commit by its version. What a walk must have read at a version is known once all commits up to that
// version are acknowledged: writers retry a commit until it is, so no version stays unknown.
import type { Change, Edition } from './fault-objects.ts'

export interface AcknowledgedCommit {
  readonly idempotencyKey: string
  readonly version: number
}

export class CommitOracle {
  readonly acknowledged: AcknowledgedCommit[] = []
  readonly problems: string[] = []
  /** For each key its versions in ascending order, and the edition that each set. */
  readonly #past = new Map<
    string,
    { readonly versions: number[]; readonly editions: (number | undefined)[] }
  >()
  readonly #early = new Map<number, readonly Change[]>()
  readonly #keys = new Set<string>()
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
      this.#apply(this.#known, next)
    }
  }

  /** The editions of all keys, in key order. The version must be known. */
  editionsAt(version: number): readonly Edition[] {
    const editions: Edition[] = []
    for (const key of [...this.#keys].toSorted()) {
      const edition = this.editionAt(key, version)
      if (edition !== undefined) editions.push({ key, edition })
    }
    return editions
  }

  editionAt(key: string, version: number): number | undefined {
    const past = this.#past.get(key)
    if (past === undefined) return undefined
    // From the end: the requested version is nearly always recent.
    let at = past.versions.length - 1
    while (at >= 0 && (past.versions[at] ?? 0) > version) at -= 1
    return past.editions[at]
  }

  #apply(version: number, changes: readonly Change[]): void {
    for (const { key, edition } of changes) {
      const past = this.#past.get(key) ?? { versions: [], editions: [] }
      this.#past.set(key, past)
      this.#keys.add(key)
      past.versions.push(version)
      past.editions.push(edition)
    }
  }
}
