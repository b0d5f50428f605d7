import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chooseClaims } from './choose-claims.ts'
import { claims } from './claims.ts'
import { loadProof, proofNames } from '../prove/proofs.ts'

const root = join(import.meta.dirname, '../..')
const namesOf = (...choice: Parameters<typeof chooseClaims>) =>
  chooseClaims(...choice).map(({ name }) => name)

it('each size includes the smaller ones, and the largest includes every claim once', () => {
  const [quick, change, full] = (['quick', 'change', 'full'] as const).map((size) =>
    namesOf(claims, { size }),
  )
  expect(quick?.length).toBeGreaterThan(5)
  expect(change).toEqual(expect.arrayContaining(quick ?? []))
  expect(full).toEqual(claims.map(({ name }) => name))
  expect(new Set(full).size).toBe(claims.length)
  expect(claims.filter(({ size }) => size === 'quick').map(({ name }) => name)).toEqual(quick)
})

it('every proof is a claim', () => {
  const proofs = proofNames.filter((name) => !['bench', 'checker'].includes(name))
  expect(
    claims
      .map(({ name }) => name)
      .filter((name) => name.startsWith('prove:'))
      .toSorted(),
  ).toEqual(proofs.map((name) => `prove:${name}`))
})

it('every point of the checker is a claim', async () => {
  const { points } = await loadProof('checker')
  expect(namesOf(claims, { size: 'full', only: ['checker:'] })).toEqual(
    Object.keys(points).map((name) => `checker:${name}`),
  )
})

it('every project of tests belongs to one claim', () => {
  const whole = claims.filter(({ command }) => command[0] === 'vitest')
  const commands = whole.flatMap(({ command }) => command.filter((word) => word.startsWith('--project=')))
  expect(commands.toSorted()).toEqual(['alone', 'long', 'pg', 'pure'].map((name) => `--project=${name}`))
})

it('a whole name means one claim, and a part of a name all that have it', () => {
  expect(namesOf(claims, { size: 'change', only: ['tests'] })).toEqual(['tests'])
  expect(namesOf(claims, { size: 'change', only: ['tests-'] })).toEqual([
    'tests-pure',
    'tests-long',
    'tests-generated',
  ])
  expect(namesOf(claims, { size: 'change', only: ['lint', 'prove:store'] })).toEqual(['lint', 'prove:store'])
  expect(namesOf(claims, { size: 'change', only: ['no such claim'] })).toEqual([])
})

it('a change touches claims beyond those that are checked for every change', () => {
  const touchedBy = (...changed: string[]) => namesOf(claims, { size: 'change', changed })
  expect(touchedBy('packages/protocol/README.md')).toEqual([])
  expect(touchedBy('deploy/prometheus/alerts.yaml')).toEqual(['prove:alerts'])
  expect(touchedBy('packages/service/migrations/0005_more.sql')).toContain('prove:citus')
})

it.each([
  ['the lock file', ['package-lock.json']],
  ['a manifest', ['packages/client/package.json']],
  ['the check itself', ['tools/check/claims.ts']],
  ['a workflow', ['.github/workflows/check.yml']],
  ['what git cannot say', 'unknown' as const],
])('%s touches every claim', (_name, changed) => {
  const nightly = claims.filter(({ size }) => size === 'full').map(({ name }) => name)
  expect(namesOf(claims, { size: 'change', changed })).toEqual(nightly)
})

it('what is said to touch a claim exists', () => {
  for (const { name, touchedBy = [] } of claims) {
    for (const beginning of touchedBy) {
      expect(globSync(`${beginning}*`, { cwd: root }).length, `${name}: ${beginning}`).toBeGreaterThan(0)
    }
  }
})
