// Compares what was read with the model. Called once the model has every commit up to the version read.
import { isDeepStrictEqual } from 'node:util'
import { compareSortKeys } from './compare-values.ts'
import type { ModelObject, ModelOrderKey, TypeModel } from './type-model.ts'
import type { SnapshotWalk, WalkedPage } from './walk-pages.ts'

export interface Difference {
  readonly kind: 'objects' | 'order' | 'total' | 'more'
  readonly detail: string
}

export function checkSnapshotWalk(
  model: TypeModel,
  walk: SnapshotWalk & { readonly kind: 'complete' },
  order: readonly ModelOrderKey[],
): Difference | undefined {
  const { version, pages } = walk
  const expected = model.inOrder(model.objectsAt(version), order)
  const where = `${model.type.apiName} at version ${version} in the order ${JSON.stringify(order)}`
  return (
    compareRecords(
      model,
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

/** In key order each page is the latest state of its own moment, from the last key on. */
export function checkLatestWalk(model: TypeModel, pages: readonly WalkedPage[]): Difference | undefined {
  const { property } = model.type.key
  const times = new Map<string, number>()
  let last: ModelObject | undefined
  for (const { clock, records, more } of pages) {
    const all = model.objectsAt(BigInt(clock.version))
    const after = last?.sortKeys.get(property) ?? null
    const rest = model.inOrder(
      all.filter((object) => {
        const key = object.sortKeys.get(property) ?? null
        return after === null || (key !== null && compareSortKeys(key, after) > 0)
      }),
      [],
    )
    const expected = rest.slice(0, records.length)
    const where = `${model.type.apiName}, latest, at version ${clock.version}`
    const difference =
      compareRecords(model, expected, records, where) ?? compareTotals([clock.live], all.length, where)
    if (difference !== undefined) return difference
    if (more !== rest.length > expected.length) {
      return {
        kind: 'more',
        detail: `${where}: ${rest.length - expected.length} are left, the page says ${more}`,
      }
    }
    for (const { key } of expected) times.set(key, (times.get(key) ?? 0) + 1)
    last = expected.at(-1) ?? last
  }
  return checkOnce(model, pages, times)
}

/** Objects that existed from the first page to the last were returned exactly once, and none twice. */
function checkOnce(
  model: TypeModel,
  pages: readonly WalkedPage[],
  times: ReadonlyMap<string, number>,
): Difference | undefined {
  const [first = 0n, last = 0n] = [pages[0], pages.at(-1)].map((page) => BigInt(page?.clock.version ?? 0))
  for (const { key } of model.objectsAt(first)) {
    const seen = times.get(key) ?? 0
    if (seen > 1 || (seen === 0 && model.livedThrough(key, first, last))) {
      return {
        kind: 'objects',
        detail: `${key} was there from version ${first} to ${last} and returned ${seen} times`,
      }
    }
  }
  return undefined
}

function compareRecords(
  model: TypeModel,
  expected: readonly ModelObject[],
  records: readonly string[],
  where: string,
): Difference | undefined {
  const isRight = (object: ModelObject, record: string) => matches(model, object, record)
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
    detail: `${where}, place ${wrong}: ${record} instead of ${JSON.stringify(recordOf(model, object))}`,
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

function matches(model: TypeModel, object: ModelObject, record: string): boolean {
  if (object.verifiedText !== undefined) return object.verifiedText === record
  // A deep and strict comparison: -0 is not 0, and a missing property is not null.
  if (!isDeepStrictEqual(JSON.parse(record), recordOf(model, object))) return false
  object.verifiedText = record
  return true
}

function recordOf({ type }: TypeModel, { key, properties }: ModelObject) {
  const title = properties[type.definition.titleProperty]
  const named = title === undefined ? {} : { title }
  return { primaryKey: key, objectType: type.apiName, ...named, properties }
}
