// Links between object types. A link is declared by the type whose property holds the keys of the other, and has a name on both sides.
import { nameHelp, type LinkType } from '@octavo/protocol'
import { ServiceError } from '../base/errors/service-error.ts'
import type { ObjectType } from './object-type.ts'

/** A link as seen from one of its two sides. */
export interface Link {
  readonly apiName: string
  readonly from: ObjectType
  readonly to: ObjectType
  /** The name of the same link on the other side. */
  readonly reverse: string
  /** The property that holds the keys, and the side that has it. */
  readonly property: string
  readonly holder: 'from' | 'to'
  readonly holdsMany: boolean
  /** How many objects one object can lead to. */
  readonly cardinality: LinkType['cardinality']
}

const isArray = ({ definition }: ObjectType, property: string): boolean => {
  const type = definition.properties[property]?.type
  return typeof type === 'object' && 'array' in type
}

/** All links of a type, in the order of their names. */
export function linksOf(type: ObjectType, types: readonly ObjectType[]): readonly Link[] {
  const declared = Object.entries(type.definition.links ?? {}).flatMap(
    ([apiName, { objectType, foreignKeyProperty: property, reverse }]) => {
      const target = types.find((other) => other.apiName === objectType)
      if (target === undefined) return []
      const holdsMany = isArray(type, property)
      const cardinality = holdsMany ? 'MANY' : 'ONE'
      const side = { apiName, from: type, to: target, reverse, property, holdsMany, cardinality } as const
      return [{ ...side, holder: 'from' } as const]
    },
  )
  const ofOthers = types.flatMap((other) =>
    Object.entries(other.definition.links ?? {})
      .filter(([, { objectType }]) => objectType === type.apiName)
      .map(([reverse, { foreignKeyProperty: property, reverse: apiName }]) => {
        return {
          apiName,
          from: type,
          to: other,
          reverse,
          property,
          holder: 'to',
          holdsMany: isArray(other, property),
          cardinality: 'MANY',
        } as const
      }),
  )
  return [...declared, ...ofOthers].toSorted((a, b) => (a.apiName < b.apiName ? -1 : 1))
}

export function findLink(type: ObjectType, types: readonly ObjectType[], name: string): Link {
  const links = linksOf(type, types)
  const found = links.find(({ apiName }) => apiName === name)
  if (found !== undefined) return found
  throw new ServiceError('LinkTypeNotFound', {
    objectType: type.apiName,
    link: name,
    ...nameHelp(
      [name],
      links.map(({ apiName }) => apiName),
    ),
  })
}

/** The links of a type as the API shows them, by their names. */
export const shownLinks = (type: ObjectType, types: readonly ObjectType[]): Record<string, LinkType> =>
  Object.fromEntries(
    linksOf(type, types).map(({ apiName, to, cardinality, holder, property, reverse }) => [
      apiName,
      {
        objectType: to.apiName,
        cardinality,
        ...(holder === 'from' && { foreignKeyProperty: property }),
        reverse,
      },
    ]),
  )
