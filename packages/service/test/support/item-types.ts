// Empty types of items on a service, one for each test, and what they hold.
import { itemDefinition } from './load-items.ts'
import { searching } from './page-revisions.ts'
import type { PromisedService } from './serve-on-fresh-database.ts'
import { walkOverHttp } from './walk-over-http.ts'

export function itemTypes(service: () => PromisedService) {
  let types = 0
  return {
    newType: async (): Promise<string> => {
      types += 1
      const objectType = `item${types}`
      await service().store.applyObjectType(service().ontology, itemDefinition(objectType))
      return objectType
    },
    contentsOf: async (objectType: string) => {
      const collection = { ontologyRid: service().ontology.rid, apiFamily: 'promised', objectType }
      const { records } = await walkOverHttp(service(), searching, collection, { snapshot: true })
      return records.map(({ properties }) => properties)
    },
  }
}
