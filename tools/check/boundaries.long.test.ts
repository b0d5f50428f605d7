import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brokenBoundaries } from './broken-boundaries.ts'
import { addFiles, scratchCopy } from './scratch-copy.ts'

const config: { default: { forbidden: { name: string }[]; folderCycles: { name: string } } } = await import(
  join(import.meta.dirname, '../../.dependency-cruiser.mjs')
)
const { forbidden, folderCycles } = config.default
const ruleNames = [...forbidden, folderCycles].map((rule) => rule.name)

let scratch: Awaited<ReturnType<typeof scratchCopy>>
beforeAll(async () => {
  scratch = await scratchCopy()
})
afterAll(() => scratch.remove())

const check = () =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=@octavo/source', 'tools/check.ts', '--only=boundaries'],
      { cwd: scratch.folder },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? 1, output: stdout + stderr }),
    )
  })

describe('the architecture rules', () => {
  it('hold in an untouched copy', async () => {
    expect(await check()).toMatchObject({ code: 0 })
  })

  it('each have a breakage to try', () => {
    expect(Object.keys(brokenBoundaries).toSorted()).toEqual(ruleNames.toSorted())
  })

  it('fails when the cruise read nothing', async () => {
    // A source file that the cruiser does not follow simulates a compiler that it cannot use.
    const unread = 'packages/service/src/dist/unread.ts'
    await addFiles(scratch.folder, { [unread]: 'export const thing = 1\n' })
    const { code, output } = await check()
    await rm(join(scratch.folder, unread))
    expect(output).toContain('prove nothing')
    expect(code).toBe(1)
  })

  describe('when all of them are broken', () => {
    let broken: Awaited<ReturnType<typeof check>>
    beforeAll(async () => {
      for (const [name, filesOf] of Object.entries(brokenBoundaries)) {
        await addFiles(scratch.folder, filesOf(name))
      }
      broken = await check()
    })

    it('fail the check', () => {
      expect(broken.code).toBe(1)
    })

    it.each(ruleNames)('%s fails by its name, for the file that breaks it', (name) => {
      expect(broken.output).toMatch(
        new RegExp(`^${name}: (packages|tools|proofs)/.*/${name}(-target)?[.]ts -> `, 'm'),
      )
    })
  })
})
