/** Why this commit is not the release that the tag names; undefined if it is. */
export function tagProblem(tag: string, version: string, changelog: string): string | undefined {
  if (tag !== `v${version}`) {
    return `The tag is ${tag || 'missing'}, but the packages are ${version}: tag the commit that \`npm run set-version\` made.`
  }
  if (!changelog.includes(`\n## [${version}] - `)) {
    return `CHANGELOG.md has no section ${version} with a day: run \`npm run set-version -- ${version}\`.`
  }
  return undefined
}
