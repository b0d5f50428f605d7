import type { Page, TypeCommit } from '@octavo/client'
import { octavo } from '../service/api.ts'
import type { NamedType } from './show-version.ts'

export interface KnownCommits {
  /** Oldest first. */
  readonly commits: readonly TypeCommit[]
  /** The oldest state that can be read. */
  readonly oldestReadable: Page<unknown>['oldestReadable']
  /** False if there are older ones that were not read. */
  readonly isAll: boolean
}

/** A type that is written to every second for a week has 600,000 commits; nobody can point at one of them. */
const most = 10_000

interface Wanted {
  /** Commits whose state can still be read, or also those that are only known. */
  readonly which: 'readable' | 'known'
}

export async function readCommits({ family, type }: NamedType, { which }: Wanted): Promise<KnownCommits> {
  const newestFirst: TypeCommit[] = []
  let oldestReadable: KnownCommits['oldestReadable']
  let isAll = true
  for await (const page of octavo().family(family).objects(type).commits().pages()) {
    oldestReadable ??= page.oldestReadable
    const floor = which === 'readable' ? BigInt(oldestReadable?.version ?? 0) : 0n
    const wanted = page.data.filter(({ version }) => BigInt(version) >= floor)
    newestFirst.push(...wanted)
    if (wanted.length < page.data.length) break
    isAll = newestFirst.length < most || page.nextPageToken === undefined
    if (!isAll) break
  }
  const commits = newestFirst.toReversed()
  // The state before the first commit is one of those that can be read, although no commit has led to it.
  const isMissing = which === 'readable' && isAll && commits[0]?.version !== oldestReadable?.version
  return {
    commits: isMissing && oldestReadable !== undefined ? [oldestReadable, ...commits] : commits,
    oldestReadable,
    isAll,
  }
}

/** The number of the newest commit up to this version, or -1 if all are after it. */
export const commitOf = (commits: readonly TypeCommit[], version: string): number =>
  commits.findLastIndex((commit) => BigInt(commit.version) <= BigInt(version))
