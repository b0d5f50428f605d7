import { expect, it } from 'vitest'
import type { SqlQuery } from '../base/sql-query.ts'
import { asListed, asSearchable } from './object-type-views.ts'
import { openCatalog } from './open-catalog.ts'
import { databaseThat } from '../../test/support/database-that.ts'
import { withStore } from '../../test/support/with-store.ts'
import { defineType } from '../../test/support/define-type.ts'

const { store } = withStore()

const named = (apiName: string) => defineType(apiName, { id: 'string' })

it('P197: a list, or a name that nobody has, costs one small statement as long as nothing has changed', async () => {
  const ontology = await store.applyOntology({ apiName: 'listed', displayName: 'Listed' })
  await store.applyObjectType(ontology, named('one'))
  const asked: string[] = []
  const catalog = openCatalog({
    database: databaseThat(store.database, {
      rows: (query: SqlQuery) => {
        asked.push(query.text.includes('object_types') ? 'types' : 'version')
        return store.database.rows(query)
      },
    }),
    elapsed: () => performance.now(),
  })
  const [first] = await catalog.objectTypes(ontology)
  expect(asked.splice(0)).toEqual(['types'])
  const [again] = await catalog.objectTypes(ontology)
  expect(asked.splice(0)).toEqual(['version'])
  expect(again).toBe(first)
  expect(await catalog.objectType(ontology, 'two')).toBeUndefined()
  expect(asked.splice(0)).toEqual(['version'])
  if (again === undefined || first === undefined) throw new Error('there is no type')
  // The views of a type are made only once as well.
  expect(asListed(again)).toBe(asListed(first))
  expect(asSearchable(again, [again]).properties).toBe(asSearchable(first, [first]).properties)

  // Another process creates a type: it is in the very next list, and found by its name.
  await store.applyObjectType(ontology, named('two'))
  expect((await catalog.objectTypes(ontology)).map(({ apiName }) => apiName)).toEqual(['one', 'two'])
  await store.applyObjectType(ontology, named('three'))
  expect(await catalog.objectType(ontology, 'three')).toMatchObject({ apiName: 'three' })
})

it('those who ask at the same moment share one check of the registry, and a recheck is never shared', async () => {
  await store.applyOntology({ apiName: 'shared', displayName: 'Shared', apiFamilies: ['shared-family'] })
  let asked = 0
  let time = 0
  const catalog = openCatalog({
    database: databaseThat(store.database, {
      rows: (query: SqlQuery) => {
        asked += 1
        return store.database.rows(query)
      },
    }),
    elapsed: () => time,
  })
  await catalog.ontologyOfFamily('shared-family')
  const oneCheck = async (): Promise<number> => {
    asked = 0
    const found = await Promise.all(
      Array.from({ length: 100 }, () => catalog.ontologyOfFamily('shared-family')),
    )
    expect(new Set(found.map((ontology) => ontology?.apiName))).toEqual(new Set(['shared']))
    return asked
  }
  expect(await oneCheck()).toBe(0)
  time += 1_000
  expect(await oneCheck()).toBe(1)
  asked = 0
  await Promise.all([catalog.recheck(), catalog.recheck()])
  expect(asked).toBe(2)
})
