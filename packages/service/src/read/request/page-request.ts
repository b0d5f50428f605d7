import type { OrderDirection, Query } from '@octavo/protocol'
import type { AfterPosition } from '../../catalog/source-positions.ts'
import type { PropertyFilter } from './parse-property-filters.ts'

/** A request for a page, the same for all revisions. */
export interface PageRequest {
  readonly endpoint: PageEndpoint
  readonly pageSize: number
  readonly pageToken: string | undefined
  readonly snapshot: boolean
  /** Names the state to read; only with `snapshot`. */
  readonly snapshotToken?: string | undefined
  readonly orderBy: readonly OrderByKey[]
  /** The properties to return; all of them when undefined. */
  readonly select: readonly string[] | undefined
  readonly query: Query
  /** Whether records come without their rids, where they have them. */
  readonly excludesRid?: boolean | undefined
  /** Whether each object is a line of an export. */
  readonly isExport?: true
  /** The latest state is read only if it contains this position. */
  readonly after?: AfterPosition | undefined
  /** The filters of revision 1.0. They become the query once the object type is known. */
  readonly filters: readonly PropertyFilter[]
}

export type PageEndpoint =
  'listObjects' | 'searchObjects' | 'readChanges' | 'listObjectsV2' | 'searchObjectsV2' | 'loadObjectSetV2'

/**
 * How an object is written: '1.0' for revision 1.0, '2.0' for revision 2.0, 'export' and 'change' with what surrounds it there,
 * 'osdk' for revision v2, with or without its rid.
 */
export type RecordShape = '1.0' | '2.0' | 'export' | 'change' | 'osdk' | 'osdk-with-rid'

/** How each endpoint writes an object, and whether it always says how many match. */
const endpoints: Readonly<Record<PageEndpoint, { readonly record: RecordShape; readonly counts: boolean }>> =
  {
    listObjects: { record: '1.0', counts: true },
    searchObjects: { record: '2.0', counts: false },
    readChanges: { record: '2.0', counts: false },
    listObjectsV2: { record: 'osdk-with-rid', counts: true },
    searchObjectsV2: { record: 'osdk-with-rid', counts: true },
    loadObjectSetV2: { record: 'osdk-with-rid', counts: true },
  }

export const recordOf = ({ endpoint, excludesRid, isExport }: PageRequest): RecordShape => {
  if (isExport) return 'export'
  const { record } = endpoints[endpoint]
  return record === 'osdk-with-rid' && excludesRid === true ? 'osdk' : record
}

export const countsMatches = ({ endpoint }: PageRequest): boolean => endpoints[endpoint].counts

export interface OrderByKey {
  readonly property: string
  readonly direction: OrderDirection
}
