// What the packages of the workspace have in common, so that they can be released together.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly keywords: readonly string[]
  readonly repository: unknown
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const folders = readdirSync(join(root, 'packages'))
const manifestOf = (folder: string): Manifest => JSON.parse(read(`packages/${folder}/package.json`))
const { version } = manifestOf('service')

describe.each(folders)('packages/%s', (folder) => {
  const manifest = manifestOf(folder)

  it('has the one version, and asks for it where it uses another package of ours', () => {
    expect(manifest.version).toBe(version)
    const ours = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(([name]) =>
      name.startsWith('@octavo/'),
    )
    expect(ours).toEqual(ours.map(([name]) => [name, version]))
  })

  it('is under the licence of the repository, and carries its text', () => {
    expect(manifest.license).toBe('Apache-2.0')
    expect(read(`packages/${folder}/LICENSE`)).toBe(read('LICENSE'))
  })

  it('says where its source is and what it is about', () => {
    // Without a scope, so that `npx octavo` finds it.
    expect(manifest.name).toBe(folder === 'octavo' ? 'octavo' : `@octavo/${folder}`)
    expect(manifest.repository).toEqual({
      type: 'git',
      url: 'git+https://github.com/octavo/octavo.git',
      directory: `packages/${folder}`,
    })
    expect(manifest.keywords.length).toBeGreaterThan(2)
  })
})
