import type { ManagedOntology } from '@octavo/protocol'
import { Type } from 'typebox'
import { requestPath } from '../ask/octavo.ts'
import { argumentsOf } from './arguments.ts'
import * as is from './arguments.ts'
import { namedList } from './named-list.ts'
import { tool } from './tool.ts'

export const listOntologies = tool({
  name: 'list_ontologies',
  title: 'List ontologies',
  description: 'The ontologies that you may read. Begin here: the other tools need an apiFamily.',
  input: argumentsOf({ after: Type.Optional(is.after) }),
  call: async (octavo, { after }) => {
    const all = await octavo.list<ManagedOntology>(requestPath`/manage/v1/ontologies`)
    const { items, progress } = namedList({
      tool: 'list_ontologies',
      items: all.map(({ apiName, displayName, description, apiFamilies: [apiFamily] }) => ({
        apiName,
        displayName,
        ...(description !== undefined && { description }),
        apiFamily,
      })),
      nameOf: ({ apiName }) => apiName,
      after,
    })
    return { ...progress, ontologies: items }
  },
})
