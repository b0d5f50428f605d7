import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { currentVersion, placesWith } from './version-places.ts'

const root = join(import.meta.dirname, '../..')

it('says the same version in every place', () => {
  for (const { path, text } of placesWith(currentVersion(root), root)) {
    expect(readFileSync(join(root, path), 'utf8'), `${path}: run \`npm run set-version\``).toBe(text)
  }
})

it('knows every place: with another version, the old one is gone', () => {
  const changed = placesWith('98.76.54', root)
  expect(changed.map(({ path }) => path)).toContain('packages/cli/package.json')
  const old = currentVersion(root).replaceAll('.', '[.]')
  for (const { path, text } of changed) {
    const ours = text.split('\n').filter((line) => /octavo|newTag|^ {2}"version"/.test(line))
    expect(
      ours.filter((line) => new RegExp(`\\b${old}\\b`).test(line)),
      path,
    ).toEqual([])
  }
})
