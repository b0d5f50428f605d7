// How many objects a replacement may delete. A file that lacks most objects is more often a mistake than a wish, and the
// deleted objects cannot be brought back once the retention is over.
import { limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Row } from '../../postgres/database.ts'

export type DeletionLimit =
  | { readonly kind: 'usual' }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'percent'; readonly percent: number }

/** From a query string. */
export function readDeletionLimit(text: string | undefined): DeletionLimit {
  if (text === undefined) return { kind: 'usual' }
  const limit = deletionLimitOf(/^\d{1,15}$/.test(text) ? Number(text) : text)
  if (limit !== undefined) return limit
  throw new ServiceError('InvalidParameterValue', {
    parameterId: 'maxDeletions',
    parameterValue: text,
    expected: 'a whole number of objects, or a percentage from 0% to 100% (in a URL, % is written %25)',
  })
}

/** Undefined if it is neither a number of objects nor a percentage. */
export function deletionLimitOf(value: unknown): DeletionLimit | undefined {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && value >= 0 ? { kind: 'count', count: value } : undefined
  }
  const [, percent] = typeof value === 'string' ? (/^(100|\d{1,2})%$/.exec(value) ?? []) : []
  return percent === undefined ? undefined : { kind: 'percent', percent: Number(percent) }
}

function maxDeletionsOf(limit: DeletionLimit | undefined, objects: number): number {
  switch (limit?.kind) {
    case undefined:
      return objects
    case 'count':
      return limit.count
    case 'percent':
      return share(objects, limit.percent)
    case 'usual':
      return Math.max(limits.replace.deletedObjects, share(objects, limits.replace.deletedPercent))
    default:
      return limit satisfies never
  }
}

const share = (objects: number, percent: number): number => Number((BigInt(objects) * BigInt(percent)) / 100n)

interface Deletions {
  readonly deleted: number
  /** How many objects there were. */
  readonly objects: number
}

export const deletionsOf = (receipt: Row | undefined): Deletions => ({
  deleted: Number(receipt?.['deleted']),
  objects: Number(receipt?.['live']) - Number(receipt?.['created']) + Number(receipt?.['deleted']),
})

/**
 * Refuses a replacement that has been applied but not committed. So nothing is counted twice, a replacement that was made before
 * is answered with its receipt, and no other writer can change the objects in between.
 */
export function checkDeletions(
  type: ObjectType,
  limit: DeletionLimit | undefined,
  { deleted, objects }: Deletions,
): void {
  const maxDeletions = maxDeletionsOf(limit, objects)
  if (deleted <= maxDeletions) return
  throw new ServiceError('TooManyDeletions', {
    objectType: type.apiName,
    deleted,
    objectCount: objects,
    maxDeletions,
  })
}
