// Compares what was read with the model. Called once the model has every commit up to the version read.
import { expectedOrder, type OrderKey, type Properties } from '@octavo/model'
import { isDeepStrictEqual } from 'node:util'
import type { ModelledType } from './modelled-type.ts'
import type { SnapshotWalk, WalkedPage } from './walk-pages.ts'

export interface Difference {
  readonly kind: 'objects' | 'order' | 'total' | 'more'
  readonly detail: string
}

export function checkSnapshotWalk(
  modelled: ModelledType,
  walk: SnapshotWalk & { readonly kind: 'complete' },
  order: readonly OrderKey[],
): Difference | undefined {
  const { version, pages } = walk
  const expected = objectsAt(modelled, version).toSorted(expectedOrder(modelled.type.definition, order))
  const where = `${modelled.type.apiName} at version ${version} in the order ${JSON.stringify(order)}`
  return (
    compareRecords(
      modelled,
      expected,
      pages.flatMap((page) => page.records),
      where,
    ) ??
    compareTotals(
      pages.map((page) => page.clock.snapshotLive),
      expected.length,
      where,
    )
  )
}

/** In key order each page is the latest state at its moment, from the last key on. */
export function checkLatestWalk(
  modelled: ModelledType,
  pages: readonly WalkedPage[],
): Difference | undefined {
  const byKey = expectedOrder(modelled.type.definition, [])
  const times = new Map<string, number>()
  let last: Properties | undefined
  for (const { clock, records, more } of pages) {
    const all = objectsAt(modelled, Number(clock.version))
    const after = last
    const rest = all.filter((object) => after === undefined || byKey(object, after) > 0).toSorted(byKey)
    const expected = rest.slice(0, records.length)
    const where = `${modelled.type.apiName}, latest, at version ${clock.version}`
    const difference =
      compareRecords(modelled, expected, records, where) ?? compareTotals([clock.live], all.length, where)
    if (difference !== undefined) return difference
    if (more !== rest.length > expected.length) {
      return {
        kind: 'more',
        detail: `${where}: ${rest.length - expected.length} are left, the page says ${more}`,
      }
    }
    for (const key of expected.map((object) => keyIn(modelled, object)))
      times.set(key, (times.get(key) ?? 0) + 1)
    last = expected.at(-1) ?? last
  }
  return checkOnce(modelled, pages, times)
}

/** Objects that existed from the first page to the last were returned exactly once, and none twice. */
function checkOnce(
  modelled: ModelledType,
  pages: readonly WalkedPage[],
  times: ReadonlyMap<string, number>,
): Difference | undefined {
  const [first = 0, last = 0] = [pages[0], pages.at(-1)].map((page) => Number(page?.clock.version ?? 0))
  for (const key of modelled.versions.allAt(first).keys()) {
    const seen = times.get(key) ?? 0
    if (seen > 1 || (seen === 0 && modelled.versions.livedThrough(key, first, last))) {
      return {
        kind: 'objects',
        detail: `${key} was there from version ${first} to ${last} and returned ${seen} times`,
      }
    }
  }
  return undefined
}

function compareRecords(
  modelled: ModelledType,
  expected: readonly Properties[],
  records: readonly string[],
  where: string,
): Difference | undefined {
  const isRight = (object: Properties, record: string) => isRecordOf(modelled, record, object)
  if (records.length !== expected.length) {
    return { kind: 'objects', detail: `${where}: ${records.length} objects instead of ${expected.length}` }
  }
  const wrong = expected.findIndex((object, i) => !isRight(object, records[i] ?? ''))
  const object = expected[wrong]
  if (object === undefined) return undefined
  const record = records[wrong] ?? ''
  const kind = records.some((other) => isRight(object, other)) ? 'order' : 'objects'
  return {
    kind,
    detail: `${where}, place ${wrong}: ${record} instead of ${JSON.stringify(recordOf(modelled, object))}`,
  }
}

function compareTotals(
  totals: readonly (string | null)[],
  expected: number,
  where: string,
): Difference | undefined {
  const wrong = totals.find((total) => total !== String(expected))
  return wrong === undefined
    ? undefined
    : { kind: 'total', detail: `${where}: ${wrong} in all instead of ${expected}` }
}

/** The record of an object that was once read and found right, so that it is deeply compared only once. */
const verified = new WeakMap<Properties, string>()

function isRecordOf(modelled: ModelledType, record: string, object: Properties): boolean {
  const text = verified.get(object)
  if (text !== undefined) return text === record
  // A deep and strict comparison: -0 is not 0, and a missing property is not null.
  if (!isDeepStrictEqual(JSON.parse(record), recordOf(modelled, object))) return false
  verified.set(object, record)
  return true
}

function recordOf({ type }: ModelledType, properties: Properties) {
  const title = properties[type.definition.titleProperty]
  const named = title === undefined ? {} : { title }
  return {
    primaryKey: properties[type.definition.primaryKey],
    objectType: type.apiName,
    ...named,
    properties,
  }
}

const objectsAt = ({ versions }: ModelledType, version: number): readonly Properties[] => [
  ...versions.allAt(version).values(),
]

const keyIn = ({ type }: ModelledType, object: Properties): string =>
  String(object[type.definition.primaryKey])
