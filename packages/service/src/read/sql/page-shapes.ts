// The text of a page's statement depends only on the shape of the page: its type and order, which keys of its position are null,
// its size. So it is compiled once for each shape, and the values that differ from page to page are filled in. Compiling each page takes
// 1.02 to 1.18 of its processor time, because each text is a new one, whose name has to be looked up.
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
    const number = numbers.get(type) ?? (types += 1)
    numbers.set(type, number)
    return number
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
  /** The values that differ from page to page. */
  readonly variables: readonly { readonly index: number; readonly source: string }[]
}

/** PostgreSQL texts never hold this character, so no constant value can look like the mark of a value that differs. */
const mark = '\0'

/**
 * The plan as the compiler gets it, with marks for what differs from page to page: each names where the value comes from, and a key of
 * the position its index. The whole of it names the text, so a text cannot depend on what is not in its name. What the statement of a
 * page without conditions does not use is left out.
 */
function shapeOf(
  { access: _access, linked: _linked, isGuarded: _isGuarded, select: _select, ...plan }: PagePlan,
  { cutAtBudget }: PageQueryOptions,
): PagePlan {
  return {
    ...plan,
    position: plan.position?.map((key, i) => (key === null ? null : `${mark}${i}`)),
    end: plan.end === undefined ? undefined : `${mark}end`,
    at: markedTime(plan.at),
    byteBudget: cutAtBudget ? plan.byteBudget : 0,
  }
}

function markedTime(at: PointInTime): PointInTime {
  if (at.kind !== 'snapshot') {
    const after = at.after && { ...at.after, source: `${mark}source`, sortKey: `${mark}after`, position: '' }
    return { ...at, after }
  }
  const epochs = at.epochs && { ...at.epochs, from: `${mark}epoch` }
  return { ...at, version: `${mark}version`, tag: '', epochs }
}

const markedText = ({ text, values }: SqlQuery): MarkedText => ({
  text,
  values,
  variables: values.flatMap((value, index) =>
    typeof value === 'string' && value.startsWith(mark) ? [{ index, source: value.slice(mark.length) }] : [],
  ),
})

function valuesOf({ values, variables }: MarkedText, plan: PagePlan): readonly SqlValue[] {
  const filled = [...values]
  for (const { index, source } of variables) filled[index] = valueFrom(source, plan) ?? null
  return filled
}

function valueFrom(source: string, { position, end, at }: PagePlan): string | null | undefined {
  if (source === 'end') return end
  if (at.kind === 'snapshot') {
    if (source === 'version') return at.version
    if (source === 'epoch') return at.epochs?.from
  } else {
    if (source === 'source') return at.after?.source
    if (source === 'after') return at.after?.sortKey
  }
  return position?.[Number(source)]
}
