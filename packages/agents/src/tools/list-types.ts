import type { SearchableObjectType } from '@octavo/protocol'
import { Type } from 'typebox'
import { requestPath } from '../ask/octavo.ts'
import { argumentsOf } from './arguments.ts'
import * as is from './arguments.ts'
import { namedList } from './named-list.ts'
import { tool } from './tool.ts'

export const listTypes = tool({
  name: 'list_types',
  title: 'List object types',
  description: 'The object types of an ontology. describe_type has their properties.',
  input: argumentsOf({ apiFamily: is.apiFamily, after: Type.Optional(is.after) }),
  call: async (octavo, { apiFamily, after }) => {
    const all = await octavo.list<SearchableObjectType>(requestPath`/api/${apiFamily}/v1/objects/types`)
    const { items, progress } = namedList({
      tool: 'list_types',
      items: all.map(({ apiName, displayName, description, primaryKey }) => ({
        apiName,
        displayName,
        ...(description !== undefined && { description }),
        primaryKey,
      })),
      nameOf: ({ apiName }) => apiName,
      after,
    })
    return { ...progress, types: items }
  },
})
