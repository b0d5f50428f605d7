// An object set is a query of one object type: a filter adds conditions, sets of one type are combined as queries are, and a search
// around is a query of the type that the link leads to. So every set is read by the one plan that the whole query has.
import { objectSetSchema, type ObjectSet, type Query, type ScalarValue } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { valueFromText } from '../../base/value/value-from-text.ts'
import { findOntology, type OntologyTarget } from '../../catalog/find-object-type.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { keyInRid, objectRidStart } from '../../read/sql/record-text.ts'
import { linkAt, linkedTo } from '../../read/walk/through-link.ts'
import { allOf, anyOf, queryOfWhere } from './query-of-where.ts'

export interface ObjectSetQuery {
  readonly objectType: string
  readonly query: Query
}

export interface SetTarget {
  readonly caller: Caller
  readonly target: OntologyTarget
}

export async function resolveObjectSet(
  service: PageService,
  at: SetTarget,
  set: ObjectSet,
): Promise<ObjectSetQuery> {
  switch (set.type) {
    case 'base':
      return { objectType: set.objectType, query: { type: 'empty' } }
    case 'filter': {
      const { objectType, query } = await resolveObjectSet(service, at, set.objectSet)
      return { objectType, query: allOf([query, queryOfWhere(set.where)]) }
    }
    case 'static':
      return objectsByRid(service, at, set.objects)
    case 'searchAround': {
      const { objectType, query } = await resolveObjectSet(service, at, set.objectSet)
      const { link } = await linkAt(service, {
        caller: at.caller,
        target: { ...at.target, objectType },
        link: set.link,
      })
      return { objectType: link.to.apiName, query: linkedTo(link, query) }
    }
    case 'asBaseObjectTypes':
      return resolveObjectSet(service, at, set.objectSet)
    case 'asType': {
      const inner = await resolveObjectSet(service, at, set.objectSet)
      requireOneType('asType', [inner.objectType, set.entityType])
      return inner
    }
    default: {
      const sets: ObjectSetQuery[] = []
      for (const each of set.objectSets) sets.push(await resolveObjectSet(service, at, each))
      const objectType = requireOneType(
        set.type,
        sets.map((each) => each.objectType),
      )
      return {
        objectType,
        query: combined(
          set.type,
          sets.map(({ query }) => query),
        ),
      }
    }
  }
}

function combined(kind: 'union' | 'intersect' | 'subtract', queries: readonly Query[]): Query {
  if (kind === 'union') return anyOf(queries)
  if (kind === 'intersect') return allOf(queries)
  const [first, ...rest] = queries
  return allOf([first ?? { type: 'empty' }, ...rest.map((value) => ({ type: 'not', value }) as const)])
}

/** Two types have no state of their own in which a page could be read, and no order. */
function requireOneType(kind: string, types: readonly string[]): string {
  const distinct = [...new Set(types)]
  const [only] = distinct
  if (distinct.length === 1 && only !== undefined) return only
  throw new ServiceError('UnsupportedObjectSet', {
    type: kind,
    reason: 'severalTypes',
    supported: objectSetSchema.$defs.ObjectSet.anyOf.map(({ properties }) => properties.type.const),
    objectTypes: distinct,
  })
}

/** A rid says which type its object has, and which key. One that says neither is of no object. */
async function objectsByRid(
  service: PageService,
  { caller, target }: SetTarget,
  rids: readonly string[],
): Promise<ObjectSetQuery> {
  const ontology = await findOntology(service, caller, target)
  const types = await service.store.catalog.objectTypes(ontology)
  const found = rids.map((rid) => types.find((type) => rid.startsWith(objectRidStart(type))))
  const type = found.find((each) => each !== undefined)
  if (type === undefined) {
    throw new ServiceError('ObjectNotFound', { objectType: 'any type', primaryKey: rids[0] ?? '' })
  }
  requireOneType(
    'static',
    found.flatMap((each) => (each === undefined ? [] : [each.apiName])),
  )
  const values = rids.flatMap((rid): readonly ScalarValue[] => {
    const key = keyInRid(type, rid)
    const value = key === undefined ? undefined : valueFromText(type.key.scalar, key)
    return value === undefined ? [] : [value]
  })
  return { objectType: type.apiName, query: { type: 'in', field: type.key.property, value: values } }
}
