import { expect, it } from 'vitest'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { openTestStore } from '../../../test/support/open-test-store.ts'
import { withStoreForEachTest } from '../../../test/support/with-store.ts'
import { errorNamed } from '../../../test/support/named-errors.ts'

const { database, store } = withStoreForEachTest({ elapsed: () => time })
let time = 0

const people = { apiName: 'com.example.People', displayName: 'People', apiFamilies: ['hr', 'staff'] }

it('applying the same definition again changes nothing', async () => {
  const first = await store.applyOntology(people)
  expect(await store.applyOntology(people)).toEqual(first)
  expect(await store.catalog.ontologies()).toEqual([first])
  expect(first.rid).toMatch(/^ri\.ontology\.main\.ontology\.[0-9a-f-]{36}$/)
  expect(first.schema).toMatch(/^octavo_[0-9a-f]{8}$/)
})

it('texts and API families can change; the identity and the place stay', async () => {
  const { rid, schema } = await store.applyOntology(people)
  await store.applyOntology({
    ...people,
    displayName: 'Staff',
    description: 'Everyone',
    apiFamilies: ['staff'],
  })
  expect(await store.catalog.ontology(rid)).toEqual({
    rid,
    schema,
    apiName: 'com.example.People',
    displayName: 'Staff',
    description: 'Everyone',
    apiFamilies: ['staff'],
  })
})

it('an API family belongs to one ontology, and is free again when that one lets it go', async () => {
  const first = await store.applyOntology(people)
  const other = { apiName: 'other', displayName: 'Other', apiFamilies: ['staff'] }
  await expect(store.applyOntology(other)).rejects.toMatchObject(
    errorNamed('InvalidDefinition', {
      problems: [{ path: '/apiFamilies', problem: expect.stringContaining('staff belongs to') }],
    }),
  )
  expect(await store.catalog.ontologies()).toEqual([first])
  await store.applyOntology({ ...people, apiFamilies: ['hr'] })
  const second = await store.applyOntology(other)
  time += 1_000
  expect((await store.catalog.ontologyOfFamily('staff'))?.rid).toBe(second.rid)
  expect((await store.catalog.ontologyOfFamily('hr'))?.rid).toBe(first.rid)
  expect(await store.catalog.ontologyOfFamily('nope')).toBeUndefined()
})

it('many applied at once queue: each is made once', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, i) => store.applyOntology({ ...people, displayName: `P${i}` })),
  )
  expect(new Set(made.map((ontology) => ontology.schema)).size).toBe(1)
  expect(await store.catalog.ontologies()).toHaveLength(1)
})

it('names that differ only in case are two ontologies', async () => {
  await store.applyOntology({ apiName: 'a.B', displayName: 'x' })
  await store.applyOntology({ apiName: 'a.b', displayName: 'y' })
  expect((await store.catalog.ontologies()).map((ontology) => ontology.apiName).toSorted()).toEqual([
    'a.B',
    'a.b',
  ])
})

it('the registry as a process remembers it is at most a second old', async () => {
  const { rid } = await store.applyOntology(people)
  const other = openTestStore({ databaseUrl: database.url }, { elapsed: () => time })
  expect((await other.catalog.ontology(rid))?.displayName).toBe('People')
  await store.applyOntology({ ...people, displayName: 'Staff' })
  time += 999
  expect((await other.catalog.ontology(rid))?.displayName).toBe('People')
  time += 1
  expect((await other.catalog.ontology(rid))?.displayName).toBe('Staff')
  await other.database.close()
})

it('an instance whose clock has gone back by an hour learns of an ontology as soon as before', async () => {
  const clock = { now: Date.now() }
  const other = openTestStore(
    { databaseUrl: database.url },
    { now: () => new Date(clock.now), elapsed: () => time },
  )
  expect(await other.catalog.ontologies()).toEqual([])
  clock.now -= 3_600_000
  const { rid } = await store.applyOntology(people)
  time += 1_000
  expect((await other.catalog.ontology(rid))?.displayName).toBe('People')
  await other.database.close()
})

it('a type that is not remembered is looked up before it is said not to exist', async () => {
  const ontology = await store.applyOntology(people)
  const other = openTestStore({ databaseUrl: database.url }, { elapsed: () => time })
  expect(await other.catalog.objectType(ontology, 'employee')).toBeUndefined()
  const type = await store.applyObjectType(ontology, employeeDefinition)
  expect(await other.catalog.objectType(ontology, 'employee')).toEqual(type)
  expect(await other.catalog.objectType(ontology, 'Employee')).toBeUndefined()
  await other.database.close()
})
