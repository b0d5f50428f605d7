import type { ObjectTypeDefinition } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { randomHex, randomUuid } from '../../guard/auth/random.ts'
import type { Observation } from '../../observe/observation.ts'
import { policyFilter } from '../../catalog/filter/policy-filter.ts'
import { openTestStore } from '../../../test/support/open-test-store.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { applyObjectType } from './apply-object-type.ts'
import { finishRegularly } from './finish-regularly.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import { saveObjectType } from './save-object-type.ts'
import { databaseThat } from '../../../test/support/database-that.ts'
import { withStore } from '../../../test/support/with-store.ts'
import { finishAbandoned } from './finish-object-type.ts'
import { defineType } from '../../../test/support/define-type.ts'
import { errorNamed } from '../../../test/support/named-errors.ts'

const { database, store } = withStore()

const plain = defineType('doc', { id: 'string', readers: 'string[]' })
const guarded: ObjectTypeDefinition = {
  ...plain,
  properties: { ...plain.properties, readers: { type: { array: 'string' }, searchable: true } },
  policy: { type: 'contains', field: 'readers', value: { claim: 'sub' } },
}
const sources = { now: () => new Date(), randomHex, randomUuid }
const exclusively = Object.assign(<T>(_name: string, work: () => Promise<T>) => work(), {
  ifFree: <T>(_name: string, work: () => Promise<T>): Promise<T | undefined> => work(),
})

/** Applies the definition with a process that dies as soon as it is saved. */
async function applyHalf(ontology: Ontology): Promise<ObjectType> {
  let transactions = 0
  const dying = databaseThat(store.database, {
    transaction: (work) => {
      transactions += 1
      return transactions > 1 ? Promise.reject(new Error('died')) : store.database.transaction(work)
    },
  })
  const applying = applyObjectType({ ...sources, exclusively, database: dying }, ontology, {
    definition: guarded,
  })
  await expect(applying).rejects.toThrow('died')
  const [half] = await store.catalog.objectTypes(ontology)
  if (half === undefined) throw new Error('nothing was saved')
  return half
}

it('P148, P196: an interrupted definition is finished by itself, and what its policy kept back can be read', async () => {
  const ontology = await store.applyOntology({ apiName: 'finished', displayName: 'Finished' })
  const type = await store.applyObjectType(ontology, plain)
  await store.commit({ parts: [{ type, changes: [putObject(type, { id: '1', readers: ['ada'] })] }] })
  const half = await applyHalf(ontology)
  expect(() => policyFilter(half, { sub: 'ada' })).toThrow('again')

  const observations: Observation[] = []
  const stop = finishRegularly(store, 0.05, (observation) => observations.push(observation))
  try {
    await expect
      .poll(async () => (await store.catalog.objectTypes(ontology))[0]?.columns.every(({ filled }) => filled))
      .toBe(true)
  } finally {
    stop()
  }
  const [whole] = await store.catalog.objectTypes(ontology)
  expect(whole?.indexes.every(({ ready }) => ready)).toBe(true)
  expect(policyFilter(whole ?? half, { sub: 'ada' })).toMatchObject({ kind: 'compare', value: 'ada' })
  expect(observations).toEqual([])
})

it('P196: a type that cannot be finished does not keep others from it, and the log names no object', async () => {
  const stuck = await store.applyOntology({ apiName: 'a-stuck', displayName: 'Stuck' })
  const type = await store.applyObjectType(stuck, plain)
  const long = putObject(type, { id: 'secret', readers: ['x'.repeat(1_001)] })
  // Saved without a check of the stored objects.
  const broken = { ...(await applyHalf(stuck)), revision: 9 }
  await store.database.transaction((transaction) => saveObjectType(transaction, { ...type, revision: 8 }))
  await store.commit({ parts: [{ type: { ...type, revision: 8 }, changes: [long] }] })
  await store.database.transaction((transaction) => saveObjectType(transaction, broken))
  const other = await store.applyOntology({ apiName: 'other', displayName: 'Other' })
  await store.applyObjectType(other, plain)
  await applyHalf(other)

  const observations: Observation[] = []
  const stop = finishRegularly(store, 0.05, (observation) => observations.push(observation))
  try {
    await expect
      .poll(async () => (await store.catalog.objectTypes(other))[0]?.columns.every(({ filled }) => filled))
      .toBe(true)
    await expect.poll(() => observations[0]).toMatchObject({ kind: 'preparing-failed', objectType: 'doc' })
  } finally {
    stop()
  }
  const [failed] = observations
  expect(failed?.kind === 'preparing-failed' && String(failed.error)).toBe('Error: IncompatibleDefinition')
  // The caller who applies the definition learns which object it is, and can take the definition back.
  await expect(store.applyObjectType(stuck, guarded)).rejects.toMatchObject(
    errorNamed('IncompatibleDefinition', {
      problems: [{ problem: expect.stringMatching(/object "secret" must .* this has 1001/) }],
    }),
  )
  const back = await store.applyObjectType(stuck, plain)
  expect(back.definition).toEqual(plain)
})

it('a preparation that another process has begun is left to it', async () => {
  const ontology = await store.applyOntology({ apiName: 'left', displayName: 'Left' })
  await store.applyObjectType(ontology, plain)
  const half = await applyHalf(ontology)
  const another = openTestStore({ databaseUrl: database.url })
  try {
    let applying: Promise<ObjectType> | undefined
    // A portion waits for the clock, which keeps the finishing process busy.
    await store.database.transaction(async (transaction) => {
      await transaction.rows({ text: `select 1 from ${half.tables.clock} for update`, values: [] })
      applying = another.applyObjectType(ontology, guarded)
      applying.catch(() => {})
      await expect
        .poll(async () => {
          const waiting = `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          const holder = store.database.holding(half.schema)
          return (await holder.rows({ text: waiting, values: [] }))[0]?.['n']
        })
        .toBe('1')
      await finishAbandoned(store, half)
      expect((await store.catalog.objectTypes(ontology))[0]?.revision).toBe(half.revision)
    })
    const finished = await applying
    expect(finished?.columns.every(({ filled }) => filled)).toBe(true)
    await finishAbandoned(store, half)
    expect(await store.catalog.objectTypes(ontology)).toEqual([finished])
  } finally {
    await another.database.close()
  }
})
