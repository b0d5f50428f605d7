// What each type held at each version: known from what was acknowledged to the writers.
import type { Findings } from './findings.ts'
import { applied, type Change, type State } from './state.ts'

export type TypeName = 'item' | 'doc' | 'owner'
export const typeNames = ['item', 'doc', 'owner'] as const
/** The types that are read in every way; the third is what the first is linked to. */
export const readTypes = ['item', 'doc'] as const

export interface Receipt {
  readonly version: string
  readonly committedAt: string
  readonly created?: number
  readonly updated?: number
  readonly deleted?: number
  readonly replayed?: boolean
}

interface Commit {
  readonly version: number
  readonly at: string
  readonly changes: readonly Change[]
  /** The changes are all that the type holds. */
  readonly isReplaced: boolean
  /** The commit is one of two types, and its receipt counts the changes of both. */
  readonly isCross: boolean
  readonly receipt: Receipt
  readonly by: string
}

export interface TypeHistory {
  /** Something was acknowledged; it is part of the history once `settle` is called. */
  readonly add: (commit: Commit) => void
  /** To call when no writer waits for an answer: from now on, all versions up to the latest are known. */
  readonly settle: () => void
  /** In the order of versions. */
  readonly commits: () => readonly Commit[]
  readonly at: (version: number) => State
}

export type History = Readonly<Record<TypeName, TypeHistory>>

const commitsBetweenKeptStates = 40

export function typeHistory(type: TypeName, { violation, count }: Findings): TypeHistory {
  const fresh: Commit[] = []
  let commits: readonly Commit[] = []
  /** States after so many commits. */
  const kept: { readonly after: number; readonly state: State }[] = [{ after: 0, state: new Map() }]

  function checkReceipt({ version, receipt, isCross, by }: Commit, before: State, after: State): void {
    if (isCross) return
    const created = [...after.keys()].filter((key) => !before.has(key)).length
    const updated = [...after].filter(([key, object]) => before.has(key) && before.get(key) !== object).length
    const deleted = [...before.keys()].filter((key) => !after.has(key)).length
    count('checked receipt')
    if (receipt.created !== created || receipt.updated !== updated || receipt.deleted !== deleted)
      violation('a receipt counts other changes', { type, version, by, receipt, created, updated, deleted })
  }

  return {
    add: (commit) => fresh.push(commit),
    settle: () => {
      const added = fresh.splice(0).toSorted((a, b) => a.version - b.version)
      const [first] = added
      if (first === undefined) return
      const latest = commits.at(-1)
      if (latest !== undefined && first.version <= latest.version)
        violation('a commit has a version that was already passed', { type, first, latest: latest.version })
      const from = commits.length
      commits = [...commits, ...added]
      let { state } = kept.at(-1) ?? { state: new Map() }
      for (const [i, commit] of added.entries()) {
        const after = applied(state, commit.changes, commit.isReplaced)
        checkReceipt(commit, state, after)
        state = after
        const count = from + i + 1
        if (count % commitsBetweenKeptStates === 0 || i === added.length - 1)
          kept.push({ after: count, state })
      }
    },
    commits: () => commits,
    at: (version) => {
      const { after, state } = kept.findLast(
        ({ after }) => after === 0 || (commits[after - 1]?.version ?? 0) <= version,
      ) ?? { after: 0, state: new Map() }
      let reached = state
      for (let i = after; i < commits.length; i += 1) {
        const commit = commits[i]
        if (commit === undefined || commit.version > version) break
        reached = applied(reached, commit.changes, commit.isReplaced)
      }
      return reached
    },
  }
}
