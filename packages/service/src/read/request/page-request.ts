import type { OrderDirection, Query } from '@octavo/protocol'
import type { PropertyFilter } from './parse-property-filters.ts'

/** A request for a page, the same for all revisions. */
export interface PageRequest {
  readonly endpoint: PageEndpoint
  readonly pageSize: number
  readonly pageToken: string | undefined
  readonly snapshot: boolean
  /** Names the state to read; only with `snapshot`. */
  readonly snapshotToken?: string | undefined
  readonly orderBy: readonly WantedKey[]
  /** The properties to return; all of them when undefined. */
  readonly select: readonly string[] | undefined
  readonly query: Query
  /** Whether records come without their rids, where they have them. */
  readonly excludesRid?: boolean | undefined
  /** Whether each object is a line of an export. */
  readonly isExport?: true
  /** The filters of revision 1.0. They become the query once the object type is known. */
  readonly filters: readonly PropertyFilter[]
}

export type PageEndpoint =
  'listObjects' | 'searchObjects' | 'readChanges' | 'listObjectsV2' | 'searchObjectsV2' | 'loadObjectSetV2'

/**
 * How an object is written: 'listed' for revision 1.0, 'found' for revision 2.0, 'line' and 'put' around it in exports and changes,
 * 'flat' for revision v2, with or without its rid.
 */
export type RecordShape = 'listed' | 'found' | 'line' | 'put' | 'flat' | 'flat-with-rid'

/** How each endpoint writes an object, and whether it always says how many match. */
const endpoints: Readonly<Record<PageEndpoint, { readonly record: RecordShape; readonly counts: boolean }>> =
  {
    listObjects: { record: 'listed', counts: true },
    searchObjects: { record: 'found', counts: false },
    readChanges: { record: 'found', counts: false },
    listObjectsV2: { record: 'flat-with-rid', counts: true },
    searchObjectsV2: { record: 'flat-with-rid', counts: true },
    loadObjectSetV2: { record: 'flat-with-rid', counts: true },
  }

export const recordOf = ({ endpoint, excludesRid, isExport }: PageRequest): RecordShape => {
  if (isExport) return 'line'
  const { record } = endpoints[endpoint]
  return record === 'flat-with-rid' && excludesRid === true ? 'flat' : record
}

export const countsMatches = ({ endpoint }: PageRequest): boolean => endpoints[endpoint].counts

export interface WantedKey {
  readonly property: string
  readonly direction: OrderDirection
}
