// Each line of docs/threat-model.md that says what somebody could try names the test that shows what comes of it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const file = join(import.meta.dirname, '../docs/threat-model.md')
const page = readFileSync(file, 'utf8')

/** The files of tests, by the names that stand for them in the links. */
const paths = new Map(
  [...page.matchAll(/^\[([^\]]+)\]: (\S+\.test\.ts)$/gm)].map(([, name = '', path = '']) => [name, path]),
)

const lines = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|(-|[ ]threat [|] what stops it [|])/.test(line))

const testsOf = (line: string) =>
  [...line.matchAll(/\[([^\]]+)\]\[([^\]]+)\]/g)].map(([, title = '', name = '']) => ({ title, name }))

it('has lines for everybody it speaks of', () => {
  const sections = page.split(/^## /m).slice(1, -1)
  expect(sections).toHaveLength(6)
  for (const section of sections) expect(section).toMatch(/^\| .* \| .* \| \[.*\]\[.*\] \|$/m)
  expect(lines.length).toBeGreaterThan(60)
})

it('names no file of tests that no line needs', () => {
  const needed = new Set(lines.flatMap(testsOf).map(({ name }) => name))
  expect([...paths.keys()].filter((name) => !needed.has(name))).toEqual([])
})

it.each(lines)('%s', (line) => {
  const named = testsOf(line)
  expect(named.length).toBeGreaterThan(0)
  for (const { title, name } of named) {
    const path = paths.get(name) ?? ''
    const test = join(dirname(file), path)
    expect(path !== '' && existsSync(test), `${name} is a file of tests`).toBe(true)
    expect(readFileSync(test, 'utf8').includes(title), `${path} has a test "${title}"`).toBe(true)
  }
})
