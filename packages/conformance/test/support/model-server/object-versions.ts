import { stateAt, type ModelStore } from './model-store.ts'

export interface ModelVersion {
  readonly type: 'put' | 'delete'
  readonly version: number
  readonly until: number | undefined
}

/** Newest first, as far as a version. */
export function versionsOf(store: ModelStore, key: string, newest: number): readonly ModelVersion[] {
  const versions: ModelVersion[] = []
  let before: unknown
  for (let version = 0; version <= newest; version += 1) {
    const object = stateAt(store, version).get(key)
    if (JSON.stringify(object) === JSON.stringify(before)) continue
    const last = versions.pop()
    if (last !== undefined) versions.push({ ...last, until: version })
    versions.push({ type: object === undefined ? 'delete' : 'put', version, until: undefined })
    before = object
  }
  return versions.toReversed()
}
