// The rows of a walk over one snapshot, by their number. Pages are read forward; for distant pages only a resume token
// is kept. So memory does not grow with the rows.
import type { Client, FoundObject, OrderKey, Page, Query, Walk } from '@octavo/client'
import { signal, type ReadonlySignal } from '@preact/signals'

export type Row = FoundObject

/** Where the rows come from; a test passes its own pages. */
export interface RowSource {
  readonly start: () => PagedWalk
  /** Continues the walk that was saved as this text. */
  readonly resume: (saved: string) => PagedWalk
}

export interface PagedWalk {
  readonly next: () => Promise<Page<Row> | undefined>
  readonly save: () => string
}

interface ReadingState {
  /** How many rows are known to exist: all that were read, or what the service said. */
  readonly rows: number
  /** False while there may be more. */
  readonly isExact: boolean
  readonly version: string | undefined
  /** The row up to which the walk is being read at this moment, if that takes several pages. */
  readonly skimming: number | undefined
  readonly error: unknown
  /** Grows whenever rows have arrived. */
  readonly arrived: number
}

export interface Reading {
  readonly state: ReadonlySignal<ReadingState>
  readonly row: (index: number) => Row | undefined
  /** Makes these rows available; what was asked for before and is not there yet is not needed any more. */
  readonly need: (first: number, last: number) => void
  /** Counted apart from the walk. If it is not exact, it is a lower bound. */
  readonly counted: (rows: number, isExact: boolean) => void
  readonly retry: () => void
  readonly dispose: () => void
}

interface KnownPage {
  readonly first: number
  readonly end: number
}

/** Pages whose rows are kept, nearest to what is shown. */
const mostPages = 3
/** Saved walks from which pages can be read again. When there are more, every second one is given up. */
const mostPlaces = 256

export function readingOf(source: RowSource): Reading {
  const pages: KnownPage[] = []
  const rowsOf = new Map<number, readonly Row[]>()
  let resumePoints: { readonly page: number; readonly saved: string }[] = []
  let placesApart = 1
  let ended = false
  let disposed = false
  let needed: readonly [number, number] = [0, 0]
  let isWorking = false
  let front: PagedWalk | undefined
  let back: { readonly walk: PagedWalk; next: number } | undefined

  const state = signal<ReadingState>({
    rows: 0,
    isExact: false,
    version: undefined,
    skimming: undefined,
    error: undefined,
    arrived: 0,
  })
  const show = (change: Partial<ReadingState>): void => {
    if (!disposed) state.value = { ...state.value, ...change }
  }

  const knownEnd = (): number => pages.at(-1)?.end ?? 0

  /** Pages are of unequal length, so the page of a row is searched for. */
  const pageOf = (index: number): number => {
    let [low, high] = [0, pages.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((pages[middle]?.first ?? 0) <= index) low = middle
      else high = middle - 1
    }
    return low
  }

  const keep = (page: number, rows: readonly Row[]): void => {
    rowsOf.set(page, rows)
    if (rowsOf.size <= mostPages) return
    const [first, last] = [pageOf(needed[0]), pageOf(needed[1])]
    const distance = (each: number): number => (each < first ? first - each : each - last)
    const farthest = [...rowsOf.keys()].reduce((far, each) => (distance(each) > distance(far) ? each : far))
    // The pages in sight stay, however many they are: they may have a single object each.
    if (distance(farthest) > 0) rowsOf.delete(farthest)
  }

  const keepPlace = (page: number, saved: string): void => {
    if (page % placesApart !== 0) return
    resumePoints.push({ page, saved })
    if (resumePoints.length <= mostPlaces) return
    placesApart *= 2
    resumePoints = resumePoints.filter(({ page: each }) => each % placesApart === 0)
  }

  const readForward = async (): Promise<void> => {
    front ??= source.start()
    if (pages.length > 0) keepPlace(pages.length, front.save())
    const page = await front.next()
    if (page === undefined) {
      ended = true
      show({ rows: knownEnd(), isExact: true })
      return
    }
    const first = knownEnd()
    const end = first + page.data.length
    pages.push({ first, end })
    keep(pages.length - 1, page.data)
    if (page.nextPageToken === undefined) ended = true
    const { rows, isExact, version } = state.value
    const total =
      page.totalCountIsLowerBound === true || page.totalCount === undefined
        ? undefined
        : Number(page.totalCount)
    show({
      rows: ended ? end : (total ?? (isExact ? rows : Math.max(rows, end + 1))),
      isExact: isExact || ended || total !== undefined,
      version: page.version ?? version,
      arrived: state.value.arrived + 1,
    })
  }

  /** A page that was given up is read again from the nearest one before it, and so are those after it if they are next. */
  const readAgain = async (wanted: number): Promise<void> => {
    if (back === undefined || back.next > wanted || wanted - back.next > placesApart) {
      const resumePoint = resumePoints.findLast(({ page }) => page <= wanted)
      back =
        resumePoint === undefined
          ? { walk: source.start(), next: 0 }
          : { walk: source.resume(resumePoint.saved), next: resumePoint.page }
    }
    const page = await back.walk.next()
    if (page !== undefined) keep(back.next, page.data)
    back.next += 1
    show({ arrived: state.value.arrived + 1 })
  }

  const missing = (): number | 'forward' | undefined => {
    const [first, last] = needed
    if (pages.length > 0) {
      for (let page = pageOf(first); page <= pageOf(Math.min(last, knownEnd() - 1)); page += 1) {
        if (!rowsOf.has(page)) return page
      }
    }
    // The next page is read ahead, so that scrolling on does not wait for it.
    const lastPage = pages.at(-1)
    const ahead = lastPage === undefined ? 0 : lastPage.end - lastPage.first
    return !ended && last + ahead / 2 >= knownEnd() ? 'forward' : undefined
  }

  const work = async (): Promise<void> => {
    isWorking = true
    try {
      for (;;) {
        const next = disposed ? undefined : missing()
        if (next === undefined) break
        const isFar = next === 'forward' && needed[0] > knownEnd() + 2_000
        if (isFar || state.value.skimming !== undefined) show({ skimming: isFar ? knownEnd() : undefined })
        await (next === 'forward' ? readForward() : readAgain(next))
      }
      if (state.value.skimming !== undefined) show({ skimming: undefined })
    } catch (error) {
      back = undefined
      show({ error, skimming: undefined })
    } finally {
      isWorking = false
    }
  }

  const begin = (): void => {
    if (!disposed && !isWorking && state.value.error === undefined) void work()
  }

  return {
    state,
    row: (index) => {
      if (index >= knownEnd()) return undefined
      const page = pageOf(index)
      return rowsOf.get(page)?.[index - (pages[page]?.first ?? 0)]
    },
    need: (first, last) => {
      needed = [Math.max(0, first), Math.max(0, last)]
      begin()
    },
    counted: (rows, isExact) => {
      if (!state.value.isExact) show({ rows: Math.max(rows, state.value.rows), isExact })
    },
    retry: () => {
      show({ error: undefined })
      begin()
    },
    dispose: () => {
      disposed = true
      rowsOf.clear()
      resumePoints = []
    },
  }
}

export interface RowsWanted {
  readonly family: string
  readonly type: string
  readonly query: Query | undefined
  readonly order: readonly OrderKey[]
  readonly snapshotToken: string
}

export function rowsFromService(client: Client, wanted: RowsWanted): RowSource {
  const paged = (walk: Walk<Row>): PagedWalk => {
    const pages = walk.pages()
    return {
      next: async () => {
        const { done, value } = await pages.next()
        return done ? undefined : value
      },
      save: () => walk.save(),
    }
  }
  const options = {
    snapshotToken: wanted.snapshotToken,
    readAhead: 0,
    ...(wanted.order.length > 0 && { orderBy: wanted.order }),
  }
  const objects = client.family(wanted.family).objects(wanted.type)
  return {
    start: () => paged(objects.search(wanted.query ?? { type: 'empty' }, options)),
    resume: (saved) => paged(client.resume(saved, { readAhead: 0 })),
  }
}
