// States to read: the latest, or one of several types, or one of the past.
import { isDeepStrictEqual } from 'node:util'
import type { SnapshotTaken } from '../answers.ts'
import type { Caller } from '../ask.ts'
import type { TypeName } from '../history.ts'
import type { Run } from '../run.ts'
import { answered } from './pages.ts'

export interface Snapshot {
  readonly token: string
  readonly versions: Readonly<Record<string, number>>
}

/** One that exists before the read, or undefined within for the read to make its own; undefined if it was refused. */
export async function anySnapshot(
  run: Run,
  caller: Caller,
  type: TypeName,
): Promise<{ readonly snapshot?: Snapshot } | undefined> {
  const { chance, history } = run
  const kind = chance.below(10)
  if (kind < 5) return {}
  const commits = history[type].commits()
  const isAmongTwo = type === 'item' && chance.below(2) === 0
  const types: readonly TypeName[] = isAmongTwo ? ['item', 'owner'] : [type]
  if (kind >= 7 || commits.length < 6) return taken(run, caller, { objectTypes: types })
  const commit = chance.one(commits.slice(-300))
  return chance.below(2) === 0
    ? taken(run, caller, { objectTypes: [type], version: String(commit.version) })
    : taken(run, caller, { objectTypes: types, at: commit.at })
}

interface Asked {
  readonly objectTypes: readonly TypeName[]
  readonly version?: string
  readonly at?: string
}

export async function taken(
  run: Run,
  caller: Caller,
  body: Asked,
): Promise<{ readonly snapshot: Snapshot } | undefined> {
  const path = `${run.paths.family}/snapshots`
  const answer = await answered<SnapshotTaken>(run, caller, { method: 'POST', path, body })
  if (answer === undefined) return undefined
  const versions = Object.fromEntries(
    Object.entries(answer.versions).map(([type, version]) => [type, Number(version)]),
  )
  run.later(() => checkVersions(run, body, versions))
  return { snapshot: { token: answer.snapshotToken, versions } }
}

function checkVersions(run: Run, asked: Asked, versions: Readonly<Record<string, number>>): void {
  const { history, count, violation } = run
  count('checked snapshot')
  for (const type of asked.objectTypes) {
    const answer = versions[type]
    if (answer === undefined) {
      violation('a snapshot lacks a type', { asked, versions })
      continue
    }
    const isBefore = ({ version, at }: { readonly version: number; readonly at: string }): boolean =>
      asked.version === undefined ? at <= (asked.at ?? '') : version <= Number(asked.version)
    if (asked.version === undefined && asked.at === undefined) continue
    const wanted = history[type].commits().findLast(isBefore)?.version
    if (wanted === undefined || wanted === answer) continue
    // A version without changes is no commit that the history knows, and the same state.
    if (!isDeepStrictEqual(history[type].at(wanted), history[type].at(answer)))
      violation('a snapshot of the past is another state', { asked, type, answer, wanted })
  }
  const { item, owner } = versions
  if (item === undefined || owner === undefined) return
  const torn = history.item
    .commits()
    .filter(({ isCross, version }) => isCross && item >= version !== owner >= version)
  if (torn.length > 0) violation('half of a commit of two types is seen', { asked, versions, torn })
}
