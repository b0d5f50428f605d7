// `node tools/check-tag.ts v0.2.0`: checks that this commit is the release that the tag names.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tagProblem } from './release/tag-problem.ts'
import { currentVersion } from './release/version-places.ts'

const root = join(import.meta.dirname, '..')
const [tag = ''] = process.argv.slice(2)
const problem = tagProblem(tag, currentVersion(root), readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
console.log(problem ?? `${tag} is the version of this commit.`)
process.exit(problem === undefined ? 0 : 1)
