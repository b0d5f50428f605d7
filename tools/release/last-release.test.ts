import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lastRelease } from './last-release.ts'

let folder: string
const git = (...words: readonly string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
    encoding: 'utf8',
  }).trim()
const commit = (): string => {
  git('commit', '--quiet', '--allow-empty', '--message=a change')
  return git('rev-parse', 'HEAD')
}
const candidate = (text: string) => writeFileSync(join(folder, '.last-release'), `${text}\n`)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-release-'))
  git('init', '--quiet')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('is the newest version that was tagged, by its numbers', () => {
  candidate('nothing')
  for (const tag of ['v0.9.0', 'v0.10.0', 'v0.10.1', 'vision']) {
    commit()
    git('tag', tag)
  }
  commit()
  expect(lastRelease(folder)).toBe('v0.10.1')
})

it('is the one before, when what is checked out is a release itself', () => {
  commit()
  git('tag', 'v0.1.0')
  commit()
  git('tag', 'v0.2.0')
  expect(lastRelease(folder)).toBe('v0.1.0')
})

it('is the named commit as long as nothing was tagged', () => {
  const first = commit()
  commit()
  candidate(first)
  expect(lastRelease(folder)).toBe(first)
})

it('is never what is checked out', () => {
  candidate(commit())
  expect(() => lastRelease(folder)).toThrow('name the release before it')
})

it('is not guessed in a clone without its history', () => {
  commit()
  candidate('0'.repeat(40))
  expect(() => lastRelease(folder)).toThrow('git fetch --tags --unshallow')
})
