import { join } from 'node:path'
import { expect, type Proof } from '../harness/prove.ts'
import { showDev } from './dev-leaves-nothing.ts'
import { withTemporaryFolder } from '../harness/end-with-us.ts'
import { insideClone, strangersEnvironment } from '../harness/inside-clone.ts'
import { lastLines, runToEnd } from '../harness/run-to-end.ts'

const install = ['npm', 'ci', '--prefer-offline', '--loglevel=error']
// One claim shows that the check runs there. That all of them hold is what the check itself says of a commit.
const oneClaim = [process.execPath, '--conditions=@octavo/source', 'tools/check.ts', '--only', 'boundaries']

const root = join(import.meta.dirname, '../..')

export async function proveFreshClone(proof: Proof): Promise<void> {
  if (insideClone()) {
    proof.say('This is already the fresh clone of a longer run: it is not cloned again.')
    return
  }
  await proof.point('A fresh clone passes its checks, serves pages, and cleans up after itself', () =>
    showFreshClone(proof),
  )
}

/** The clone is of the last commit: a new user does not get uncommitted changes. */
async function showFreshClone({ say, short }: Proof): Promise<string> {
  const head = await runToEnd(['git', 'rev-parse', '--short', '--verify', 'HEAD'], { in: root })
  expect(head.code === 0, 'there is no commit yet, so there is nothing to clone')
  const commit = head.output.trim()
  const changed = await runToEnd(['git', 'status', '--porcelain'], { in: root })
  if (changed.output !== '')
    say(`the working tree has changes; the clone is of commit ${commit} without them`)

  return withTemporaryFolder(async (folder) => {
    const clone = join(folder, 'octavo')
    const env = strangersEnvironment()
    const step = async (name: string, command: readonly string[], where: string) => {
      const startedAt = performance.now()
      const { code, output } = await runToEnd(command, { in: where, env })
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      say(`${name}: exit code ${code}, ${seconds} s`)
      expect(code === 0, `${name} failed in a clone of ${commit}:\n   | ${lastLines(output, 40)}`)
      return /^\d+ passed, \d+ failed$/m.exec(output)?.[0]
    }

    await step('git clone', ['git', 'clone', '--quiet', root, clone], folder)
    let count: string | undefined
    if (short) {
      await step('npm ci', install, clone)
      count = await step('npm run check -- --only boundaries', oneClaim, clone)
    } else {
      count = await step('bash .ci/run', ['bash', '.ci/run'], clone)
    }
    expect(count !== undefined, 'the check did not end with its count')
    await showDev(clone, { say, short, env })
    return `commit ${commit}: ${count}; dev served and left nothing`
  })
}
