// CHANGELOG.md (keepachangelog.com): what is not released stands under Unreleased, and a release gives it a version and a day.

const unreleased = '## [Unreleased]'

/** What a release has to tell: the lines under its heading. */
export function notesOf(changelog: string, version: string): string {
  const [, rest] = changelog.split(`\n## [${version}]`)
  if (rest === undefined) throw new Error(`CHANGELOG.md has no section ${version}.`)
  return rest.slice(rest.indexOf('\n')).split('\n## ')[0]?.trim() ?? ''
}

/** The changelog once this version is released; unchanged where it is already there. */
export function released(changelog: string, version: string, day: string): string {
  if (changelog.includes(`\n## [${version}]`)) return changelog
  if (!changelog.includes(`\n${unreleased}\n`))
    throw new Error(`CHANGELOG.md has no section "${unreleased}".`)
  if (notesOf(changelog, 'Unreleased') === '') {
    throw new Error(`CHANGELOG.md has nothing under "${unreleased}": say what ${version} changes for a user.`)
  }
  return changelog.replace(`\n${unreleased}\n`, `\n${unreleased}\n\n## [${version}] - ${day}\n`)
}
