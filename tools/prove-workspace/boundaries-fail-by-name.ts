import { brokenBoundaries } from '../check/broken-boundaries.ts'
import { addFiles, scratchCopy } from '../check/scratch-copy.ts'
import { expect, type Proof } from '../prove.ts'
import { removeWithUs } from './end-with-us.ts'
import { lastLines, runToEnd } from './run-to-end.ts'

// One rule of each kind: the order of the steps, what a package may use, and what a step may import.
const tried = ['plan-comes-before-sql', 'protocol-uses-only-itself', 'pure-stages-stay-pure'] as const

export const showBoundaries = (root: string, proof: Proof): Promise<string> =>
  proof.short ? breakSomeRules(proof) : breakEveryRule(root)

async function breakEveryRule(root: string): Promise<string> {
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', 'tools/check/boundaries.test.ts']
  const { code, output } = await runToEnd(vitest, { in: root })
  expect(code === 0, `the tests of the rules failed:\n   | ${lastLines(output, 40)}`)
  return `all ${Object.keys(brokenBoundaries).length} rules, by tools/check/boundaries.test.ts`
}

async function breakSomeRules({ say }: Proof): Promise<string> {
  for (const name of tried) {
    const breakage = brokenBoundaries[name]
    expect(breakage !== undefined, `there is no breakage for ${name}`)
    const scratch = await scratchCopy()
    removeWithUs(scratch.folder)
    try {
      await addFiles(scratch.folder, breakage(name))
      const check = [process.execPath, '--conditions=@octavo/source', 'tools/check.ts', '--only=boundaries']
      const { code, output } = await runToEnd(check, { in: scratch.folder })
      const told = output.split('\n').find((line) => line.startsWith(`${name}: packages/`))
      expect(code === 1 && told !== undefined, `${name} was broken and the check did not say so:\n${output}`)
      say(told)
    } finally {
      await scratch.remove()
    }
  }
  const all = Object.keys(brokenBoundaries).length
  return `${tried.length} rules; tools/check/boundaries.test.ts breaks all ${all}`
}
