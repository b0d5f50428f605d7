// Checks that the published packages are complete: packed as npm packs them, they resolve, have types, and work where
// nothing else is installed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentProblems } from './check-packages/content-problems.ts'
import { problemsInAnEmptyProject } from './check-packages/empty-project.ts'
import { packAll } from './check-packages/pack-all.ts'
import { publishingProblems } from './check-packages/publishing-problems.ts'
import { typeProblems } from './check-packages/type-problems.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-packages-'))
try {
  const packed = packAll(folder)
  const problems: string[] = []
  for (const each of packed) {
    const found = [
      ...contentProblems(each),
      ...(await publishingProblems(each)),
      ...(await typeProblems(each)),
    ]
    problems.push(...found.map((problem) => `${each.name}: ${problem}`))
    console.log(
      `${each.name} ${each.version}: ${each.files.length} files, ${Math.ceil(each.size / 1024)} kB packed`,
    )
  }
  problems.push(...(await problemsInAnEmptyProject(packed, join(folder, 'empty-project'))))
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}
