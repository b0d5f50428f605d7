import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clauseProblems, clausesNamedBy, clausesOf, listedAsUncovered } from '../clauses.ts'
import { expect, type Proof } from '../prove.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

export async function proveClauseCoverage(proof: Proof): Promise<void> {
  await proof.point('Every clause is named by a test, or listed with the reason why it is not', async () => {
    const protocol = read('PROTOCOL.md')
    const uncovered = read('docs/uncovered-clauses.md')
    const testFiles = globSync(['packages/*/{src,test}/**/*.test.ts', 'tools/**/*.test.ts'], {
      cwd: root,
    }).map(read)
    const problems = clauseProblems({ protocol, uncovered, testFiles })
    expect(problems.length === 0, problems.join(' '))
    const covered = new Set(testFiles.flatMap(clausesNamedBy)).size
    const listed = listedAsUncovered(uncovered)
    const names = listed.map((clause) => `P${clause}`).join(' ')
    return `${covered} of ${clausesOf(protocol).length} clauses covered, ${listed.length} not yet: ${names}`
  })
}
