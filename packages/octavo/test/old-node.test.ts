// The file that a shell starts must be understood by every Node that people still have.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const bin = join(import.meta.dirname, '../bin/octavo.js')
const sentence = /^octavo needs Node 24 or later, and this is Node \d+\.\d+\.\d+ \(.*\n$/

it('a Node that is too old is told which one is needed, and nothing else is loaded', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-old-node-'))
  try {
    const pretend = join(folder, 'pretend.cjs')
    writeFileSync(pretend, `Object.defineProperty(process.versions, 'node', { value: '20.1.2' })`)
    const ran = spawnSync(process.execPath, ['--require', pretend, bin, 'status'], { encoding: 'utf8' })
    expect(ran).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(sentence) })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const versionOf = (node: string): number =>
  existsSync(node)
    ? Number(/^v(\d+)/.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout)?.[1])
    : 24
const system = '/usr/bin/node'

it.runIf(versionOf(system) < 24)('the old Node of this machine says so too', () => {
  const ran = spawnSync(system, [bin, 'status'], { encoding: 'utf8' })
  expect(ran).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(sentence) })
})

it('the scripts of the workspace start that file', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(text)
  expect(scripts['octavo']).toMatch(/ packages\/octavo\/bin\/octavo\.js$/)
})
