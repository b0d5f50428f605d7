// Finds the release before this one, from which an upgrade to this code starts.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file that names a commit until there is a tag: a candidate that stands for the release before the first. */
const candidateFile = '.last-release'

/**
 * The newest tag v1.2.3 before HEAD, or else the commit of `.last-release`. Never HEAD, because code always agrees with
 * itself.
 */
export function lastRelease(repository: string): string {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', repository, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  const head = git('rev-parse', 'HEAD')
  const isKnown = (commit: string): boolean => {
    try {
      git('cat-file', '-e', `${commit}^{commit}`)
      return true
    } catch {
      return false
    }
  }
  const [newest] = git(
    'tag',
    '--list',
    'v[0-9]*',
    '--merged=HEAD',
    '--no-contains=HEAD',
    '--sort=-version:refname',
  ).split('\n')
  if (newest) return newest
  const commit = readFileSync(join(repository, candidateFile), 'utf8').trim()
  if (!isKnown(commit)) {
    throw new Error(
      `${candidateFile} names ${commit}, which this clone does not have: git fetch --tags --unshallow`,
    )
  }
  if (git('rev-parse', commit) === head) {
    throw new Error(`${candidateFile} names the commit that is checked out: name the release before it.`)
  }
  return commit
}
