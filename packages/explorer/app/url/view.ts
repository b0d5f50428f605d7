// The view, as the address of the page has it: reload, share and the browser's back button show the same view again.
import type { OrderKey, Query } from '@octavo/client'

export type Shown = 'rows' | 'facts' | 'walk'

export interface View {
  readonly family?: string
  readonly type?: string
  readonly shows: Shown
  /** Absent for all objects. */
  readonly query?: Query
  /** Empty for the primary key. */
  readonly order: readonly OrderKey[]
  /** The visible columns from left to right; absent for what is remembered, or all. */
  readonly columns?: readonly string[]
  /** The fields whose values are counted; absent while no counts are shown. */
  readonly facets?: readonly string[]
  /** The primary key of the object that is open. */
  readonly object?: string
  /** The snapshot token of the state that is shown; absent for the latest. */
  readonly at?: string
}

export interface ReadView {
  readonly view: View
  /** Sentences about those fields of the address that cannot be understood. */
  readonly problems: readonly string[]
}

export function viewOf(search: string): ReadView {
  const given = new URLSearchParams(search)
  const problems: string[] = []
  const text = (name: string): string | undefined => given.get(name) || undefined
  const query = parsedQuery(text('query'))
  if (query === 'unreadable')
    problems.push('The filter in the address could not be read, so all objects are shown.')
  const family = text('family')
  const type = text('type')
  const object = text('object')
  const at = text('at')
  const columns = text('columns')?.split(',')
  const facets = text('facets')?.split(',')
  return {
    problems,
    view: {
      shows: shownOf(text('show')),
      order: orderOf(text('order')),
      ...(family !== undefined && { family }),
      ...(type !== undefined && { type }),
      ...(query !== undefined && query !== 'unreadable' && { query }),
      ...(columns !== undefined && { columns }),
      ...(facets !== undefined && { facets }),
      ...(object !== undefined && { object }),
      ...(at !== undefined && { at }),
    },
  }
}

/** Without a leading question mark; empty for the view that nobody chose. */
export function searchOf({ family, type, shows, query, order, columns, facets, object, at }: View): string {
  const parameters = new URLSearchParams()
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') parameters.set(name, value)
  }
  add('family', family)
  add('type', type)
  add('show', shows === 'rows' ? undefined : shows)
  add('query', query && JSON.stringify(query))
  add('order', order.map(({ field, direction = 'asc' }) => `${field}:${direction}`).join(','))
  add('columns', columns?.join(','))
  add('facets', facets?.join(','))
  add('object', object)
  add('at', at)
  return parameters.toString()
}

const shownOf = (text: string | undefined): Shown => (text === 'facts' || text === 'walk' ? text : 'rows')

const orderOf = (text: string | undefined): readonly OrderKey[] =>
  (text?.split(',') ?? []).flatMap((key) => {
    const [, field, direction] = /^(.+?)(?::(asc|desc))?$/.exec(key) ?? []
    return field === undefined ? [] : [{ field, direction: direction === 'desc' ? 'desc' : 'asc' }]
  })

function parsedQuery(text: string | undefined): Query | 'unreadable' | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'type' in value ? (value as Query) : 'unreadable'
  } catch {
    return 'unreadable'
  }
}
