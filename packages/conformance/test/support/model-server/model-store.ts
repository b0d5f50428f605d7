import type { BatchLine } from '@octavo/protocol'
import { idOf, type ModelObject, type State } from './model-data.ts'

interface Commit {
  readonly state: State
  readonly committedAt: number
}

/** Every commit since the server started; the version of a commit is its index in the list. */
export interface ModelStore {
  readonly commits: Commit[]
}

export const latestVersion = ({ commits }: ModelStore): number => commits.length - 1

export const stateAt = ({ commits }: ModelStore, version: number): State =>
  commits[version]?.state ?? new Map<string, ModelObject>()

export function applied(state: State, lines: readonly BatchLine[]): State {
  const next = new Map(state)
  for (const line of lines) {
    if (line.type === 'delete') next.delete(String(line.primaryKey))
    else {
      const object = line.properties as ModelObject
      next.set(idOf(object), object)
    }
  }
  return next
}

export const addCommit = (store: ModelStore, state: State, committedAt: number = performance.now()): void => {
  store.commits.push({ state, committedAt })
}
