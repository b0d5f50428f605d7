// What is different in a set since a state, written as the updates of a subscription; or that these are not known or too many, so that the
// set has to be loaded again.
import { limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { valueFromText } from '../../base/value/value-from-text.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import { answerBy, type PageService } from '../../read/walk/page-service.ts'
import { filtersOf } from '../../read/plan/plan-page.ts'
import { recordOf, type PageRequest } from '../../read/request/page-request.ts'
import { readDifference, type Deletion, type Difference } from '../../read/rows/changes/read-difference.ts'
import { recordEnd, ridOfKey } from '../../read/sql/record-text.ts'
import type { Captured } from '../../read/token/walk.ts'
import type { FollowedSet } from './followed-set.ts'
import { admitted } from './in-turn.ts'

export type News =
  | {
      readonly kind: 'changes'
      /** The elements of `updates`, without the brackets. */
      readonly updates: Buffer
      readonly objects: number
      readonly at: Captured
    }
  | { readonly kind: 'reload' }

export interface NewsSince {
  readonly caller: Caller
  readonly since: Captured
}

const reload: News = { kind: 'reload' }

export async function readNews(
  service: PageService,
  { ontology, type, request }: FollowedSet,
  { caller, since }: NewsSince,
): Promise<News> {
  const { store, requestTimeoutMs } = service
  const endsAt = answerBy(service)
  // The answer may be for many, so it is not given up when one of them leaves.
  const signal = AbortSignal.timeout(requestTimeoutMs)
  const read = (): Promise<News> =>
    store.catalog.withFreshType(ontology, type, async (fresh) => {
      const { filter, policy } = filtersOf(fresh, request, caller.claims)
      const difference = await readDifference(
        store,
        {
          type: fresh,
          since,
          at: { kind: 'capture' },
          policy,
          filter,
          pageSize: limits.subscription.objects,
          byteBudget: limits.subscription.bytes,
          select: request.select,
          record: recordOf(request),
          position: undefined,
        },
        { signal, answerBy: endsAt },
      )
      const news = newsOf(fresh, request, difference)
      difference.puts?.giveBack?.()
      return news
    })
  try {
    return await admitted(service, { subject: caller.subject, signal }, read)
  } catch (error) {
    if (error instanceof ServiceError && needReload.has(error.errorName)) return reload
    throw error
  }
}

const needReload: ReadonlySet<string> = new Set(['ChangesExpired', 'ConsistentSnapshotError', 'ScanTimedOut'])

function newsOf(type: ObjectType, request: PageRequest, difference: Difference): News {
  const { puts, deletes, at, position } = difference
  const objects = (puts?.objects ?? 0) + deletes.length
  if (position !== undefined || objects > limits.subscription.objects) return reload
  const updates = Buffer.from(
    [
      ...(puts === undefined ? [] : recordsIn(puts)).map((record) => updateText(record, 'ADDED_OR_UPDATED')),
      ...deletes.map((deletion) => updateText(removedRecord(type, request, deletion), 'REMOVED')),
    ].join(','),
  )
  return updates.length > limits.subscription.bytes ? reload : { kind: 'changes', updates, objects, at }
}

const updateText = (record: string, state: 'ADDED_OR_UPDATED' | 'REMOVED'): string =>
  `{"type":"object","object":${record},"state":"${state}"}`

/** Each record begins on a new line, and JSON has no other line ends. */
const recordsIn = ({ records, shape }: Pick<NonNullable<Difference['puts']>, 'records' | 'shape'>) =>
  `${records.toString()}${recordEnd(shape)}`.split(',\n')

/** Only what says which object it was. */
const removedRecord = (type: ObjectType, { excludesRid }: PageRequest, { key }: Deletion): string => {
  const value = valueFromText(type.key.scalar, key)
  return JSON.stringify({
    __primaryKey: value,
    __apiName: type.apiName,
    ...(excludesRid !== true && { __rid: ridOfKey(type, key) }),
    [type.key.property]: value,
  })
}
