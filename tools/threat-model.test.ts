// Each line of docs/threat-model.md that says what an attacker can or cannot do names the test that verifies it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const file = join(import.meta.dirname, '../docs/threat-model.md')
const page = readFileSync(file, 'utf8')

const lines = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| (-+|can or cannot) +\|/.test(line))

it('has lines for everybody it speaks of', () => {
  const sections = page.split(/^## /m).slice(1, -1)
  expect(sections).toHaveLength(6)
  for (const section of sections) expect(section).toMatch(/^\| can(not)? .*\.test\.ts\) *\|$/m)
  expect(lines.length).toBeGreaterThan(30)
})

it.each(lines)('%s', (line) => {
  const named = [...line.matchAll(/\[([^\]]+)\]\(([^)]+\.test\.ts)\)/g)]
  expect(named.length).toBeGreaterThan(0)
  for (const [, title = '', path = ''] of named) {
    const test = join(dirname(file), path)
    expect(existsSync(test), `${path} exists`).toBe(true)
    expect(readFileSync(test, 'utf8').includes(title), `${path} has a test "${title}"`).toBe(true)
  }
})
