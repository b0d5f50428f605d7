import type { BatchLine } from '@octavo/protocol'
import { refuse } from './model-refusal.ts'
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
    if (line.type === 'source') continue
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

const microsecondsOf = ({ commits }: ModelStore, version: number): number =>
  Math.floor((performance.timeOrigin + (commits[version]?.committedAt ?? 0)) * 1_000)

/** With microseconds, so that no two commits have the same time. */
export function timeOf(store: ModelStore, version: number): string {
  const microseconds = microsecondsOf(store, version)
  const seconds = new Date(Math.floor(microseconds / 1_000_000) * 1_000).toISOString().slice(0, 19)
  const fraction = String(microseconds % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}Z`
}

function microsecondsIn(time: string): number {
  const [seconds = '', fraction = ''] = time.replace('Z', '').split('.')
  return Date.parse(`${seconds}Z`) * 1_000 + Number(fraction.padEnd(6, '0'))
}

export interface EarlierState {
  readonly at?: string | undefined
  readonly version?: string | undefined
}

/** The newest version up to a time or a version. */
export function versionUpTo(store: ModelStore, { at, version }: EarlierState): number {
  if (version !== undefined && Number(version) > latestVersion(store))
    return refuse('Conjure:UnprocessableEntity', { path: '/version', problem: 'it must be one that exists' })
  if (version !== undefined) return Number(version)
  return store.commits.findLastIndex(
    (_, i) => at === undefined || microsecondsOf(store, i) <= microsecondsIn(at),
  )
}
