// The versions of an object under a policy: those of the states that the caller could read.
import { seededRandom } from '@octavo/model'
import type { PolicyQuery } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import type { Claims } from '../../src/catalog/filter/policy-filter.ts'
import { readState, type State } from '../support/changes-over-http.ts'
import { refusalOf } from '../support/error-answer.ts'
import { serveClaims } from '../support/serve-claims.ts'
import { putObject } from '../support/put-object.ts'
import { askForVersions, readVersions, standingAt, versionsIn } from '../support/versions-over-http.ts'
import { withStore } from '../support/with-store.ts'
import { defineType } from '../support/define-type.ts'

const { store, ontology } = withStore()
const service = forAllTests(() => serveClaims(store))

const apiFamily = 'promised'
const policy: PolicyQuery = { type: 'eq', field: 'department', value: { claim: 'department' } }

const definition = (apiName: string) =>
  defineType(apiName, { id: 'string', department: 'string searchable', level: 'integer' }, { policy })

const callers: readonly Claims[] = [{ department: 'sales' }, { department: 'legal' }, {}]

it('P144: the token of a page of versions has one length, whatever its version and its epoch of history', async () => {
  const type = await store.applyObjectType(ontology, definition('lengths'))
  for (let level = 0; level < 12; level += 1)
    await store.commit({
      parts: [{ type, changes: [putObject(type, { id: 'a', department: 'sales', level })] }],
    })
  const asks = { primaryKey: 'a' }
  const pages = await readVersions(service.as({ department: 'sales' }), {
    objectType: 'lengths',
    apiFamily,
    asks,
    pageSize: 1,
  })
  const lengths = pages.flatMap(({ nextPageToken }) => nextPageToken?.length ?? [])
  expect(lengths).toHaveLength(11)
  expect(new Set(lengths).size).toBe(1)
})

it('P281: an object that a state hides is shown as absent, as walks of these states show it', async () => {
  const random = seededRandom(3)
  const type = await store.applyObjectType(ontology, definition('hidden'))
  const keys = ['a', 'b', 'c'] as const
  const states: State[][] = callers.map(() => [])
  for (let level = 0; level < 40; level += 1) {
    const id = random.pick(keys)
    const change = random.chance(0.25)
      ? ({ kind: 'delete', key: id } as const)
      : putObject(type, { id, department: random.pick(['sales', 'legal']), level })
    await store.commit({ parts: [{ type, changes: [change] }] })
    for (const [i, claims] of callers.entries())
      states[i]?.push(await readState(service.as(claims), { objectType: 'hidden', apiFamily, asks: {} }))
  }
  let hidden = 0
  for (const [i, claims] of callers.entries()) {
    for (const primaryKey of keys) {
      const asked = { objectType: 'hidden', apiFamily, asks: { primaryKey } }
      if (claims['department'] === undefined) {
        const answer = await askForVersions(service.as(claims), asked)
        expect(refusalOf(answer)).toMatchObject({ errorName: 'ObjectNotFound' })
        continue
      }
      const whole = versionsIn(await readVersions(service.as(claims), asked))
      for (const pageSize of [1, 2, 5])
        expect(versionsIn(await readVersions(service.as(claims), { ...asked, pageSize }))).toEqual(whole)
      for (const { version, copy } of states[i] ?? []) {
        const shown = standingAt(whole, version)
        expect(shown && JSON.stringify(shown), `${primaryKey} at ${version}`).toEqual(copy.get(primaryKey))
      }
      for (const one of whole)
        expect(one.type === 'delete' || one.object.properties['department']).toBe(
          one.type === 'delete' || claims['department'],
        )
      // Nothing tells that there were two states, or that something happened, while the object could not be seen.
      const types = whole.map((one) => one.type)
      expect(types.join(' ')).not.toContain('delete delete')
      expect(types.at(-1)).toBe('put')
      hidden += types.filter((one) => one === 'delete').length
    }
  }
  expect(hidden).toBeGreaterThan(5)
})

it('P281: an object that was never visible is answered as one that never was', async () => {
  const type = await store.applyObjectType(ontology, definition('secret'))
  const secret = putObject(type, { id: 'secret', department: 'legal', level: 1 })
  await store.commit({ parts: [{ type, changes: [secret] }] })
  const caller = service.as({ department: 'sales' })
  const ask = async (primaryKey: string) =>
    refusalOf(await askForVersions(caller, { objectType: 'secret', apiFamily, asks: { primaryKey } }))
  const { parameters, ...hidden } = await ask('secret')
  const { parameters: others, ...never } = await ask('nothing')
  expect(hidden).toEqual(never)
  expect(parameters).toEqual({ ...others, primaryKey: 'secret' })
})
