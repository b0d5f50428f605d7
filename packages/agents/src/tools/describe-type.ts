import type { SearchableObjectType } from '@octavo/protocol'
import { Type } from 'typebox'
import { totalText } from '../ask/total-text.ts'
import { allObjects, countMatches, typePath } from '../ask/object-state.ts'
import { argumentsOf } from './arguments.ts'
import * as is from './arguments.ts'
import { namedList } from './named-list.ts'
import { tool } from './tool.ts'

export const describeType = tool({
  name: 'describe_type',
  title: 'Describe an object type',
  description:
    'Properties of a type, which of them can be searched and sorted, its links and orders, and how many objects it has. Read it before you search.',
  input: argumentsOf({
    apiFamily: is.apiFamily,
    objectType: is.objectType,
    after: Type.Optional(is.after),
  }),
  call: async (octavo, { apiFamily, objectType, after }) => {
    const name = { apiFamily, objectType }
    const type = await octavo.get<SearchableObjectType>(typePath(name))
    const about = {
      apiName: type.apiName,
      primaryKey: type.primaryKey,
      titleProperty: type.titleProperty,
      objects: totalText(await countMatches(octavo, name, { query: allObjects })),
    }
    const { items, progress } = namedList({
      tool: 'describe_type',
      items: partsOf(type),
      nameOf: (part) => part.part,
      after,
    })
    return { ...about, ...progress, parts: items }
  },
})

interface Part {
  /** The kind of the part and its name, so that all parts are one list. */
  readonly part: string
  /** Of the type itself. */
  readonly text?: string
}

function partsOf({
  displayName,
  description,
  properties,
  links,
  orders,
}: SearchableObjectType): readonly Part[] {
  return [
    { part: 'displayName', text: displayName },
    ...(description === undefined ? [] : [{ part: 'description', text: description }]),
    ...Object.entries(properties).map(([name, property]) => ({ part: `property ${name}`, ...property })),
    ...Object.entries(links).map(([name, link]) => ({ part: `link ${name}`, ...link })),
    ...orders.map(({ fields }) => ({
      part: `order ${fields.map(({ field, direction }) => `${field} ${direction}`).join(', ')}`,
      orderBy: fields,
    })),
  ]
}
