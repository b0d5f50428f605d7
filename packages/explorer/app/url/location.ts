import { signal } from '@preact/signals'
import { searchOf, viewOf, type View } from './view.ts'

const read = viewOf(location.search)

export const view = signal<View>(read.view)

/** Sentences about those fields of the address that could not be understood when the page was opened. */
export const addressProblems: readonly string[] = read.problems

export type ViewChange = { readonly [Name in keyof View]?: View[Name] | undefined }

/** The view with these parts changed; undefined removes one. */
function changed(before: View, change: ViewChange): View {
  const after: Record<string, unknown> = { ...before, ...change }
  for (const name of Object.keys(after)) if (after[name] === undefined) delete after[name]
  return {
    ...(after as Partial<View>),
    shows: change.shows ?? before.shows,
    order: change.order ?? before.order,
  }
}

/** Shows another view. A correction of the present one, such as of a name that does not exist, replaces it in the history. */
export function go(change: ViewChange, { replaces = false } = {}): void {
  const next = changed(view.value, change)
  const search = searchOf(next)
  const address = search === '' ? location.pathname : `?${search}`
  if (replaces || search === searchOf(view.value)) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  view.value = next
}

export const addressOf = (change: ViewChange): string => `?${searchOf(changed(view.value, change))}`

export const readAddress = (): void => {
  view.value = viewOf(location.search).view
}

addEventListener('popstate', readAddress)
