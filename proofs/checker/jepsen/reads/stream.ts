// A stream, continued where it broke off.
import type { Record1, Totals } from '../answers.ts'
import { filterByChance } from '../filters.ts'
import { readTypes } from '../history.ts'
import { orderByChance } from '../orders.ts'
import { compareObjects, expected, type Run } from '../run.ts'
import type { Thing } from '../state.ts'
import { often } from '../things.ts'
import { mayEnd } from './pages.ts'
import { checkTotals } from './walk.ts'

type Line =
  | { readonly type: 'object'; readonly object: Record1 }
  | { readonly type: 'page'; readonly nextPageToken: string }
  | ({ readonly type: 'end'; readonly version: string } & Totals)
  | { readonly type: 'error'; readonly errorName: string }

export async function stream(run: Run): Promise<void> {
  const { chance, things, count } = run
  const [caller, type] = [chance.one(run.readers), chance.one(readTypes)]
  const filter = filterByChance(chance, things)
  const order = orderByChance(chance)
  const got: Thing[] = []
  let pageToken: string | undefined
  for (let times = 0; times < 50; times += 1) {
    const request = {
      method: 'POST' as const,
      path: `${run.paths.typed(type)}/export`,
      body: {
        query: filter.query,
        orderBy: order && { fields: order.fields },
        pageSize: 5 + chance.below(100),
        pageToken,
      },
      headers: { ...(often(chance, 3) && { 'accept-encoding': chance.one(['gzip', 'br', 'identity']) }) },
    }
    const answer = await run.read(caller, request)
    if (!answer.isDone) return mayEnd(run, request, answer.refusal)
    const { things: whole, nextPageToken, end, error } = takeLines(answer.json)
    got.push(...whole)
    if (error !== undefined) {
      count(`stream ended by ${error}`)
      if (error === 'SnapshotTooOld' || error === 'ConsistentSnapshotError') return
    }
    if (end !== undefined) {
      const version = Number(end.version)
      run.later(() => {
        const want = expected(run, { caller, type, version, filter })
        const details = { type, version, query: filter.query, order: order?.fields, times }
        compareObjects(run, { what: 'stream', got, want, compare: order?.compare, details })
        checkTotals(run, 'stream', { type, version, answer: end, want: want.length })
      })
      return
    }
    pageToken = nextPageToken ?? pageToken
    if (pageToken === undefined) return
    count('streams continued')
  }
}

interface Taken {
  readonly things: readonly Thing[]
  readonly nextPageToken: string | undefined
  readonly end: (Totals & { readonly version: string }) | undefined
  readonly error: string | undefined
}

/** Objects count once the page that they belong to has ended. */
function takeLines(text: string): Taken {
  const things: Thing[] = []
  let open: Thing[] = []
  let [nextPageToken, end, error]: [string?, Taken['end']?, string?] = []
  for (const line of text.split('\n').slice(0, -1)) {
    const answer = JSON.parse(line) as Line
    if (answer.type === 'object') open.push(answer.object.properties)
    else if (answer.type === 'error') error = answer.errorName
    else {
      things.push(...open)
      open = []
      if (answer.type === 'page') ({ nextPageToken } = answer)
      else end = answer
    }
  }
  return { things, nextPageToken, end, error }
}
