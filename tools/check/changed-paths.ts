import { spawnSync } from 'node:child_process'

/** What differs from a commit, here and not yet committed too. `unknown` if git cannot say: then everything may differ. */
export function changedPaths(since: string): readonly string[] | 'unknown' {
  const git = (...words: readonly string[]) => spawnSync('git', words, { encoding: 'utf8' })
  const base = git('merge-base', since, 'HEAD')
  const changed = git('diff', '--name-only', '--no-renames', base.stdout.trim())
  const added = git('ls-files', '--others', '--exclude-standard')
  if ([base, changed, added].some(({ status }) => status !== 0)) return 'unknown'
  return [changed, added].flatMap(({ stdout }) => stdout.split('\n')).filter((path) => path !== '')
}
