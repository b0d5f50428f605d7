// The exact statement that the service sends for a page after an object.
import {
  beginsWithTexts,
  compilePageQuery,
  type ObjectType,
  planPage,
  rowSourcesOf,
  type SqlQuery,
  type Store,
  withEpochs,
} from '../../../packages/service/test/inside.ts'
import { keyOf } from '../../harness/sample-employees.ts'
import type { Snapshot } from '../data/snapshot.ts'
import type { PageKind } from './page-kind.ts'

export interface StatementOptions {
  readonly kind: PageKind
  readonly before: Snapshot
  /** The number of the object before the page. */
  readonly after: number
}

type Read = Pick<Store, 'database'>

export async function pageStatement(
  { database }: Read,
  type: ObjectType,
  { kind, before, after }: StatementOptions,
): Promise<SqlQuery> {
  const snapshot = kind.mode === 'snapshot'
  const planned = await planPage({
    type,
    request: {
      endpoint: kind.revision === '1.0' ? 'listObjects' : 'searchObjects',
      pageSize: kind.pageSize,
      pageToken: undefined,
      snapshot,
      orderBy: [],
      select: undefined,
      query: { type: 'empty' },
      filters: [],
    },
    claims: {},
    walk: {
      id: 'bench',
      mode: snapshot ? { kind: 'snapshot', ...before } : { kind: 'default' },
      order: undefined,
      total: undefined,
      served: kind.pageSize,
      position: [keyOf(after)],
    },
    estimate: async () => [],
  })
  const plan = await withEpochs(rowSourcesOf(database), planned, undefined)
  // Objects of 400 bytes without a backslash: no page of them can exceed the byte budget or needs escapes, and the service
  // knows that after its first page.
  return compilePageQuery(plan, { cutAtBudget: false, withEscapes: !beginsWithTexts(plan) })
}
