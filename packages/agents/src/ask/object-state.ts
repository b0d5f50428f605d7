import type { Aggregate, Count, SearchableObjectType, Snapshot } from '@octavo/protocol'
import { limits } from '@octavo/protocol/vocabulary'
import { requestPath, type Octavo } from './octavo.ts'
import { Refused } from './tool-error.ts'

/** How a tool names an object type. */
export interface TypeName {
  readonly apiFamily: string
  readonly objectType: string
}

export const typePath = ({ apiFamily, objectType }: TypeName): string =>
  requestPath`/api/${apiFamily}/v1/objects/types/${objectType}`

export const allObjects = { type: 'empty' }

/** Names the latest state of all the types that a query looks at. */
export async function takeSnapshot(octavo: Octavo, type: TypeName, query: object): Promise<string> {
  const types = new Set([type.objectType])
  await addLinkedTypes(octavo, type, query, { types, levels: limits.query.depth })
  const path = requestPath`/api/${type.apiFamily}/v1/snapshots`
  return (await octavo.post<Snapshot>(path, { objectTypes: [...types] })).snapshotToken
}

interface Found {
  readonly types: Set<string>
  /** A deeper query is refused when it is asked. */
  readonly levels: number
}

async function addLinkedTypes(octavo: Octavo, type: TypeName, query: unknown, found: Found): Promise<void> {
  if (typeof query !== 'object' || query === null || found.levels === 0) return
  const inside = { ...found, levels: found.levels - 1 }
  if ('type' in query && query.type === 'linked' && 'link' in query && 'query' in query) {
    const { links } = await octavo.get<SearchableObjectType>(typePath(type))
    const link = Object.entries(links).find(([name]) => name === query.link)?.[1]
    if (link === undefined) return
    found.types.add(link.objectType)
    await addLinkedTypes(octavo, { ...type, objectType: link.objectType }, query.query, inside)
  } else if ('value' in query) {
    for (const part of [query.value].flat()) await addLinkedTypes(octavo, type, part, inside)
  }
}

export interface Total {
  readonly objects: string
  /** Whether there may be more. */
  readonly isBound: boolean
}

export const isNone = ({ objects, isBound }: Total): boolean => objects === '0' && !isBound

/** How many objects match in a state: exact, unless that would cost more than the deployment allows. */
export async function countMatches(
  octavo: Octavo,
  type: TypeName,
  asked: { readonly query: object; readonly snapshotToken?: string },
): Promise<Total> {
  const counted = await octavo.post<Count>(`${typePath(type)}/count`, asked)
  if (counted.totalCountIsLowerBound === undefined) return { objects: counted.totalCount, isBound: false }
  try {
    const { data } = await octavo.post<Aggregate>(`${typePath(type)}/aggregate`, {
      ...asked,
      aggregation: [{ type: 'count' }],
    })
    return { objects: String(data[0]?.metrics[0]?.value ?? 0), isBound: false }
  } catch (error) {
    if (error instanceof Refused && error.errorName === 'AggregateTooExpensive') {
      return { objects: counted.totalCount, isBound: true }
    }
    throw error
  }
}
