import { demand } from '../clauses/clause-failure.ts'
import { getRequest, objectTypesPath } from './page-request.ts'
import { checkedToken } from './read-page.ts'
import type { Subject } from './subject.ts'
import { isObject, isPage } from './wire-page.ts'

/** The names of all object types of the ontology. */
export async function typeNames({ collection, send }: Subject): Promise<readonly string[]> {
  const names: string[] = []
  for (let query = ''; ;) {
    const exchange = await send(getRequest(`${objectTypesPath(collection)}${query}`))
    const { body } = exchange
    demand(exchange.status === 200 && isPage(body), {
      clause: 'P1',
      expected: 'a page of object types',
      exchange,
    })
    names.push(...body.data.map((item) => (isObject(item) ? String(item['apiName']) : '')))
    const { nextPageToken } = checkedToken(exchange, body, collection.revision)
    if (nextPageToken === undefined) return names
    query = `?pageToken=${nextPageToken}`
  }
}
