// Objects that hold keys which lead to no object, of one link.
import type { LinkPair, LinkType, Query, Snapshot } from '@octavo/protocol'
import { requestPath } from '../connection/request-path.ts'
import { familyOf } from './family-of.ts'
import type { ObjectSource } from './object-source.ts'

/** An object that holds a key which leads to no object. */
export interface Dangling {
  readonly objectType: string
  readonly primaryKey: unknown
  readonly link: string
  readonly holds: unknown
}

const pageSize = 1_000

export async function* danglingOf(
  { connection, facts, walk, ontology }: ObjectSource,
  link: string,
  { objectType: to, cardinality, foreignKeyProperty }: LinkType,
): AsyncGenerator<Dangling> {
  if (foreignKeyProperty === undefined) return
  const dangling = (properties: Readonly<Record<string, unknown>>, holds: unknown): Dangling => ({
    objectType: facts.apiName,
    primaryKey: properties[facts.primaryKey],
    link,
    holds,
  })
  const holders: Query = { type: 'isNull', field: foreignKeyProperty, value: false }
  if (cardinality === 'ONE') {
    const leadNowhere: Query = { type: 'not', value: { type: 'linked', link, query: { type: 'empty' } } }
    const query: Query = { type: 'and', value: [holders, leadNowhere] }
    for await (const { properties } of walk({ conditions: [], query, pageSize, snapshot: true })) {
      yield dangling(properties, properties[foreignKeyProperty])
    }
    return
  }
  // Of several keys some may lead nowhere. Pairs tell which do not, in one state of both types and in the order of the holders.
  const family = familyOf(ontology)
  const { snapshotToken } = await connection.json<Snapshot>({
    method: 'POST',
    path: requestPath`/api/${family}/v1/snapshots`,
    json: { objectTypes: [...new Set([facts.apiName, to])] },
  })
  const pairs = connection.items<LinkPair>({
    method: 'POST',
    path: requestPath`/api/${family}/v1/objects/types/${facts.apiName}/links/${link}/pairs`,
    json: { query: { type: 'empty' }, pageSize, snapshotToken },
  })
  let pair = await pairs.next()
  const orderBy = [{ field: facts.primaryKey, direction: 'asc' }] as const
  const ofHolders = { conditions: [], query: holders, orderBy, pageSize, snapshot: true, snapshotToken }
  for await (const { properties } of walk(ofHolders)) {
    const found = new Set<string>()
    while (!pair.done && pair.value.source === String(properties[facts.primaryKey])) {
      found.add(pair.value.target)
      pair = await pairs.next()
    }
    const held = properties[foreignKeyProperty]
    const lost = Array.isArray(held) ? held.filter((key) => !found.has(String(key))) : []
    if (lost.length > 0) yield dangling(properties, lost)
  }
}
