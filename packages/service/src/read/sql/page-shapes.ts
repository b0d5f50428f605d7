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
  const texts = lruCache<MarkedText>(mostShapes)
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
    const { type, ...named } = shapeOf(plan, options)
    const name = `${numberOf(type)} ${JSON.stringify([named, options])}`
    let text = texts.get(name)
    if (text === undefined) {
      text = markedText(compilePageQuery({ type, ...named }, options))
      texts.set(name, text)
    }
    return { text: text.text, values: valuesOf(text, plan) }
  }
}

interface MarkedText extends SqlQuery {
  /** The indexes of the values that differ from page to page. */
  readonly places: readonly number[]
  /** The source of each of those values: a key of the position (by its index), the end, the version, or the first epoch. */
  readonly given: readonly Given[]
}

type Given = number | 'end' | 'version' | 'epoch'

/** PostgreSQL texts never hold this character, so no constant value can look like the mark of a place. */
const mark = '\0'
const versionMark = `${mark}version`
const epochMark = `${mark}epoch`
const endMark = `${mark}end`

/**
 * The plan as the compiler gets it, with marks for what differs from page to page. The whole of it names the text, so a text cannot depend
 * on what is not in its name. What the statement of a page without conditions does not use is left out.
 */
function shapeOf(
  { access: _access, linked: _linked, isGuarded: _isGuarded, select: _select, ...plan }: PagePlan,
  { cutAtBudget }: PageQueryOptions,
): PagePlan {
  return {
    ...plan,
    position: plan.position?.map((key, i) => (key === null ? null : `${mark}${i}`)),
    end: plan.end === undefined ? undefined : endMark,
    at: markedTime(plan.at),
    byteBudget: cutAtBudget ? plan.byteBudget : 0,
  }
}

function markedText({ text, values }: SqlQuery): MarkedText {
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
  return { ...at, version: versionMark, tag: '', epochs }
}

function givenBy(value: SqlValue): Given | undefined {
  if (typeof value !== 'string' || !value.startsWith(mark)) return undefined
  if (value === versionMark) return 'version'
  if (value === endMark) return 'end'
  return value === epochMark ? 'epoch' : Number(value.slice(mark.length))
}

function valuesOf(
  { values, places, given }: MarkedText,
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
