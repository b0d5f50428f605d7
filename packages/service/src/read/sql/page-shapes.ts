// The text of a page's statement depends only on the shape of the page: its type and order, which keys of its position are null,
// its size. So it is compiled once for each shape, and the values that differ from page to page are filled in.
import type { ObjectType } from '../../catalog/object-type.ts'
import { lruCache } from '../../base/lru-cache.ts'
import type { PagePlan, PointInTime } from '../plan/page-plan.ts'
import { compilePageQuery, type PageQueryOptions } from './compile-page-query.ts'
import type { SqlQuery, SqlValue } from '../../base/sql-query.ts'

export type PageQueries = (plan: PagePlan, options: PageQueryOptions) => SqlQuery

/** A text is a few kilobytes, and a type has one for each order, mode and page size in use. */
const mostShapes = 2_000
/** Only a walk that lasts very long, over objects that change all the time, reads more. */
const mostEpochs = 32

const epochsOf = (at: PointInTime): number => (at.kind === 'snapshot' ? (at.epochs?.count ?? 0) : 0)

export function pageQueries(): PageQueries {
  const shapes = lruCache<PageShape>(mostShapes)
  const numbers = new WeakMap<ObjectType, number>()
  let types = 0

  /** A definition that was read again is a new ObjectType, so it never uses the texts of the old one. */
  const numberOf = (type: ObjectType): number => {
    const known = numbers.get(type)
    if (known !== undefined) return known
    types += 1
    numbers.set(type, types)
    return types
  }

  return (plan, options) => {
    // Conditions of a filter have too many shapes to cache, and the text for many epochs is too long.
    if (plan.access !== undefined || epochsOf(plan.at) > mostEpochs) return compilePageQuery(plan, options)
    const name = `${numberOf(plan.type)} ${nameOfShape(plan, options)}`
    let shape = shapes.get(name)
    if (shape === undefined) {
      shape = shapeOf(plan, options)
      shapes.set(name, shape)
    }
    return { text: shape.text, values: valuesOf(shape, plan) }
  }
}

interface PageShape extends SqlQuery {
  /** The indexes of the values that differ from page to page. */
  readonly places: readonly number[]
  /** The source of each of those values: a key of the position (by its index), the end, the version, or the first epoch. */
  readonly given: readonly Given[]
}

type Given = number | 'end' | 'version' | 'epoch'

function nameOfShape(
  { record, order, position, end, at, pageSize, byteBudget }: PagePlan,
  { cutAtBudget, withEscapes }: PageQueryOptions,
) {
  let keys = order.scan as string
  for (const { column, direction } of order.keys) keys += ` ${column} ${direction}`
  let nulls = position === undefined ? 'none' : ''
  for (const key of position ?? []) nulls += key === null ? '0' : '1'
  return `${record} ${keys} ${nulls} ${end === undefined ? '' : 'end'} ${nameOfTime(at)} ${pageSize} ${withEscapes} ${cutAtBudget ? byteBudget : ''}`
}

function nameOfTime(at: PointInTime): string {
  if (at.kind === 'latest') return 'latest'
  if (at.kind !== 'snapshot' || at.epochs === undefined) return at.kind
  return String(at.epochs.count)
}

/** PostgreSQL texts never hold this character, so no constant value can look like the mark of a place. */
const mark = '\0'
const versionMark = `${mark}version`
const epochMark = `${mark}epoch`
const endMark = `${mark}end`

function shapeOf(plan: PagePlan, options: PageQueryOptions): PageShape {
  const marked = {
    ...plan,
    position: plan.position?.map((key, i) => (key === null ? null : `${mark}${i}`)),
    end: plan.end === undefined ? undefined : endMark,
    at: markedTime(plan.at),
  }
  const { text, values } = compilePageQuery(marked, options)
  const found = values.flatMap((value, place) => {
    const given = givenBy(value)
    return given === undefined ? [] : [{ place, given }]
  })
  return {
    text,
    values,
    places: found.map(({ place }) => place),
    given: found.map(({ given }) => given),
  }
}

function markedTime(at: PointInTime): PointInTime {
  if (at.kind !== 'snapshot') return at
  const epochs = at.epochs && { ...at.epochs, from: epochMark }
  return { ...at, version: versionMark, epochs }
}

function givenBy(value: SqlValue): Given | undefined {
  if (typeof value !== 'string' || !value.startsWith(mark)) return undefined
  if (value === versionMark) return 'version'
  if (value === endMark) return 'end'
  return value === epochMark ? 'epoch' : Number(value.slice(mark.length))
}

function valuesOf(
  { values, places, given }: PageShape,
  { position, end, at }: PagePlan,
): readonly SqlValue[] {
  const filled = [...values]
  for (const [i, place] of places.entries()) {
    const from = given[i] ?? 'version'
    if (from === 'end') filled[place] = end ?? null
    else filled[place] = typeof from === 'number' ? (position?.[from] ?? null) : ofTime(at, from)
  }
  return filled
}

function ofTime(at: PointInTime, given: 'version' | 'epoch'): string | null {
  if (at.kind !== 'snapshot') return null
  return given === 'version' ? at.version : (at.epochs?.from ?? null)
}
