// CHANGELOG.md (keepachangelog.com): unreleased changes are listed under Unreleased; a release gives them a version and a
// date.

const unreleased = '## [Unreleased]'

/** The release notes: the lines under the heading of the version. */
export function notesOf(changelog: string, version: string): string {
  const [, rest] = changelog.split(`\n## [${version}]`)
  if (rest === undefined) throw new Error(`CHANGELOG.md has no section ${version}.`)
  return rest.slice(rest.indexOf('\n')).split('\n## ')[0]?.trim() ?? ''
}

/** The changelog with this version released; unchanged if it already is. */
export function released(changelog: string, version: string, day: string): string {
  if (changelog.includes(`\n## [${version}]`)) return changelog
  if (!changelog.includes(`\n${unreleased}\n`))
    throw new Error(`CHANGELOG.md has no section "${unreleased}".`)
  if (notesOf(changelog, 'Unreleased') === '') {
    throw new Error(`CHANGELOG.md has nothing under "${unreleased}": say what ${version} changes for a user.`)
  }
  return changelog.replace(`\n${unreleased}\n`, `\n${unreleased}\n\n## [${version}] - ${day}\n`)
}
