// Everything that was there at each version: every key with all its values, by version.

interface Entry<Value> {
  readonly version: number
  readonly value: Value | undefined
}

export class ObjectVersions<Value = unknown> {
  readonly #entries = new Map<string, Entry<Value>[]>()

  /** Without a value, the key has nothing from this version on. Versions may come in any order, as receipts of commits do. */
  record(version: number, key: string, value: Value | undefined): void {
    const entries = this.#entries.get(key) ?? []
    this.#entries.set(key, entries)
    let at = entries.length
    while (at > 0 && (entries[at - 1]?.version ?? 0) > version) at -= 1
    // If a commit has the same key twice, the last one wins.
    const replaces = entries[at - 1]?.version === version
    entries.splice(replaces ? at - 1 : at, replaces ? 1 : 0, { version, value })
  }

  at(key: string, version: number): Value | undefined {
    return this.#entries.get(key)?.findLast((entry) => entry.version <= version)?.value
  }

  /** All that there is at a version, by key, in no order. */
  allAt(version: number): ReadonlyMap<string, Value> {
    const all = new Map<string, Value>()
    for (const key of this.#entries.keys()) {
      const value = this.at(key, version)
      if (value !== undefined) all.set(key, value)
    }
    return all
  }

  /** Whether the key had a value at every version from the first to the last. */
  livedThrough(key: string, first: number, last: number): boolean {
    if (this.at(key, first) === undefined) return false
    const within = this.#entries.get(key)?.filter(({ version }) => version > first && version <= last) ?? []
    return within.every(({ value }) => value !== undefined)
  }
}
