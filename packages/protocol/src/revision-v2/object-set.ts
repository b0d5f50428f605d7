import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { closed, type Wire } from '../base/wire.ts'
import { apiNameSchema } from '../values/api-name.ts'
import { ridSchema } from '../values/rid.ts'
import { whereSchema } from './where.ts'

const set = Type.Ref('ObjectSet')

const several = <Kind extends string>(kind: Kind) =>
  Type.Object({ type: Type.Literal(kind), objectSets: Type.Array(set, { minItems: 1 }) }, closed)

/** Objects of one type, described by where they come from. Check the nesting first, as for a query. */
export const objectSetSchema = Type.Cyclic(
  {
    ObjectSet: Type.Union([
      Type.Object({ type: Type.Literal('base'), objectType: apiNameSchema }, closed),
      Type.Object({ type: Type.Literal('filter'), objectSet: set, where: whereSchema }, closed),
      Type.Object(
        {
          type: Type.Literal('static'),
          objects: Type.Array(ridSchema, { minItems: 1, maxItems: limits.query.inValues }),
        },
        closed,
      ),
      several('union'),
      several('intersect'),
      several('subtract'),
      Type.Object({ type: Type.Literal('searchAround'), objectSet: set, link: apiNameSchema }, closed),
      Type.Object({ type: Type.Literal('asBaseObjectTypes'), objectSet: set }, closed),
      Type.Object({ type: Type.Literal('asType'), objectSet: set, entityType: apiNameSchema }, closed),
    ]),
  },
  'ObjectSet',
)
export type ObjectSet = Wire<typeof objectSetSchema>

/** What the API family has, and this service does not. */
export const unsupportedObjectSets: readonly string[] = [
  'interfaceBase',
  'interfaceLinkSearchAround',
  'nearestNeighbors',
  'withProperties',
  'methodInput',
  'reference',
]
