import { invariant } from '../../base/errors/invariant.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { orderName, type Access, type PageOrder } from './page-plan.ts'
import { type Filter, allOf } from '../../catalog/filter/filter.ts'
import { decidesAll, isFoundByEpoch, listAccesses, orderNamed, type WantedAccess } from './list-accesses.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { TableSide } from '../../catalog/type-tables.ts'

/** How much the database expects to match a filter, in the tables that are read. */
export interface MatchEstimate {
  /** Objects, at one version. */
  readonly objects: number
  /** States of objects, at all versions that history has. */
  readonly states: number
}

export type EstimateMatches = (
  filters: readonly Filter[],
  sides: readonly TableSide[],
) => Promise<readonly MatchEstimate[]>

export interface AccessChoice extends WantedAccess {
  readonly pageSize: number
  /** The order that the walk began with, if the service chose it. */
  readonly keptOrder: string | undefined
  readonly estimate: EstimateMatches
  /** The tables that the pages of the walk are read from: a version also needs history. */
  readonly sides: readonly TableSide[]
}

/**
 * Chooses the access that reads the fewest rows for a page. A scan reads until the page is full: the page size divided by the
 * share of its range that matches. A gather reads every match, and does so again for every page. README.md has an example.
 */
export async function chooseAccess(type: ObjectType, choice: AccessChoice): Promise<Access> {
  const { filter, pageSize } = choice
  const accesses = accessesInKeptOrder(type, choice)
  const empty = filter.kind === 'nothing' ? accesses.find(({ kind }) => kind === 'gather') : undefined
  if (empty !== undefined) return empty
  const exact = accesses.find(decidesAll)
  if (exact !== undefined) return exact
  const [first] = accesses
  invariant(first !== undefined, 'filter-without-access')
  if (accesses.length === 1) return first

  const [matches, ...estimates] = await choice.estimate(
    [filter, ...accesses.map((access) => (access.kind === 'scan' ? access.within : access.filter))],
    choice.sides,
  )
  const cost = (access: Access, i: number): number => {
    const { objects, states } = estimates[i] ?? { objects: 0, states: 0 }
    return access.kind === 'gather'
      ? // Gathered rows are read in no order and sorted: each one costs more than the next row of an index.
        2 * (isFoundByEpoch(access.filter) ? objects : states) + pageSize
      : // One object more than the page holds shows whether another page follows.
        ((pageSize + 1) * Math.max(1, objects)) / Math.max(1, matches?.objects ?? 0)
  }
  return accesses.reduce(
    (best, access, i) => {
      const itsCost = cost(access, i)
      return itsCost < best.cost ? { access, cost: itsCost } : best
    },
    { access: first, cost: Number.POSITIVE_INFINITY },
  ).access
}

/**
 * A changed policy or changed claims may have removed the condition that gave the walk its order. The walk keeps that order all
 * the same (P147).
 */
function accessesInKeptOrder(type: ObjectType, choice: AccessChoice): readonly Access[] {
  const { keptOrder } = choice
  const accesses = listAccesses(type, choice)
  if (keptOrder === undefined) return accesses
  const kept = accesses.filter(({ order }) => orderName(order) === keptOrder)
  if (kept.length > 0) return kept
  const order = orderNamed(type, keptOrder)
  // The index of that order is gone: the property is no longer declared searchable.
  if (order === undefined) {
    throw new ServiceError('InvalidPageToken', { reason: 'requestChanged', changed: ['objectType'] })
  }
  return listAccesses(type, { ...choice, order })
}

export interface WantedMatches {
  /** What the caller may read, and what the query matches. */
  readonly policy: Filter
  readonly queried: Filter
  readonly keyOrder: PageOrder
}

/**
 * How all matches are found where a policy may hide objects. It is chosen by the request alone, and passes over hidden objects before
 * anything is counted: so whether there are too many to be read shows nothing of them.
 */
export function accessToAll(type: ObjectType, { policy, queried, keyOrder }: WantedMatches): Access {
  const filter = allOf([policy, queried])
  const accesses = listAccesses(type, { filter, order: keyOrder, keyOrder })
  const gather = accesses.find(({ kind }) => kind === 'gather')
  return gather ?? { kind: 'scan', order: keyOrder, within: policy, check: queried }
}
