// A snapshot walk, at any speed, in any order; if its state goes, it continues in a later one where that is offered.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangesPage, Page, ContinueWith, Record1, Totals } from '../answers.ts'
import type { Caller } from '../ask.ts'
import { checksum } from '../checksum.ts'
import { everything, filterByChance, isEverything, type Filter } from '../filters.ts'
import { readTypes, type TypeName } from '../history.ts'
import { orderByChance, type Order } from '../orders.ts'
import { compareObjects, expected, unaskedOrder, type Run } from '../run.ts'
import type { Thing } from '../state.ts'
import { often } from '../things.ts'
import { allPages, answered, search } from './pages.ts'
import { anySnapshot, taken } from './snapshot.ts'

export const propertiesOf = ({ properties }: Record1): Thing => properties

interface Walking {
  readonly caller: Caller
  readonly type: 'item' | 'doc'
  readonly filter: Filter
  readonly order: Order | undefined
  /** It pauses for longer than a page token lives. */
  readonly isHeldUp: boolean
}

export async function walk(run: Run): Promise<void> {
  const { chance, things, readers } = run
  const type = chance.one(readTypes)
  await walkThrough(run, {
    caller: chance.one(readers),
    type,
    filter: filterByChance(chance, things, type === 'item'),
    order: orderByChance(chance),
    isHeldUp: chance.below(25) === 0,
  })
}

/** Of everything in the order of the primary key: the walk that is offered a later state when it is too late for its own. */
export async function walkHeldUp(run: Run): Promise<void> {
  const caller = run.chance.one(run.readers)
  await walkThrough(run, { caller, type: 'item', filter: everything, order: undefined, isHeldUp: true })
}

async function walkThrough(run: Run, { caller, type, filter, order, isHeldUp }: Walking): Promise<void> {
  const { chance } = run
  const select = often(chance, 3) ? ['n', 'tags'] : undefined
  const state = filter.isLinked
    ? await taken(run, caller, { objectTypes: ['item', 'owner'] })
    : await anySnapshot(run, caller, type)
  if (state === undefined) return
  const { snapshot } = state
  const asked = {
    query: filter.query,
    orderBy: order && { fields: order.fields },
    select,
    ...(snapshot === undefined ? { snapshot: true } : { snapshotToken: snapshot.token }),
  }
  const isSlow = often(chance, 1)
  const got: Record1[] = []
  const walked = await allPages<Record1>(run, {
    caller,
    request: search(run, type, () => ({ ...asked, pageSize: 1 + chance.below(chance.one([40, 400])) })),
    rest: async () => {
      if (isSlow) await sleep(chance.below(1_500))
      if (isHeldUp && often(chance, 2)) await sleep(7_500)
    },
    onPage: (page) => got.push(...page.data),
    onRefusal: async ({ parameters }) => {
      if (parameters?.continueWith === undefined) return false
      if (!isEverything(filter) || type === 'doc')
        run.violation('a walk is offered a later state where it must not', { type, asked })
      const seen = new Map(got.map(({ primaryKey, properties }) => [primaryKey, properties]))
      await continueLater(run, { caller, type, asked, select, seen, continueWith: parameters.continueWith })
      return true
    },
  })
  if (walked === undefined) return
  const { items, last } = walked
  const version = Number(last.version)
  run.later(() => {
    const ownersVersion = snapshot?.versions['owner']
    const want = expected(run, { caller, type, version, filter, ownersVersion })
    compareObjects(run, {
      what: 'walk',
      got: items.map(propertiesOf),
      want,
      compare: order?.compare ?? (isEverything(filter) && type !== 'doc' ? unaskedOrder : undefined),
      select,
      details: { type, version, asked, groups: caller.groups },
    })
    checkTotals(run, 'walk', { type, version, answer: last, want: want.length })
    const isTold = last.totalCount !== undefined || last.checksum !== undefined
    if (type === 'doc' && isTold)
      run.violation('a total is returned where a policy hides objects', { last: { ...last, data: [] } })
  })
}

/** The number of objects, unless it is missing or a bound, and the checksum, unless it is missing. */
export function checkTotals(
  { count, violation, history }: Run,
  what: string,
  { type, version, answer, want }: { type: TypeName; version: number; answer: Totals; want: number },
): void {
  const { totalCount, totalCountIsLowerBound, checksum: sum } = answer
  if (totalCount !== undefined && totalCountIsLowerBound !== true && Number(totalCount) !== want)
    violation(`${what}: wrong total`, { type, version, totalCount, want })
  if (sum === undefined) return
  count('checked checksum')
  if (sum !== checksum(history[type].at(version)))
    violation(`${what}: wrong checksum`, { type, version, sum })
}

interface Continued {
  readonly caller: Caller
  readonly type: TypeName
  readonly asked: object
  readonly select: readonly string[] | undefined
  /** What the walk has got so far. */
  readonly seen: ReadonlyMap<string, Thing>
  readonly continueWith: ContinueWith
}

/** What was read is brought to the later state by the changes, and then the rest of that state is read. */
async function continueLater(
  run: Run,
  { caller, type, asked, select, seen, continueWith }: Continued,
): Promise<void> {
  const { chance, count, violation } = run
  count('walks continued in a later state')
  const got = new Map(seen)
  const { fromSnapshotToken, toSnapshotToken } = continueWith
  let version: number | undefined
  for (let token: string | undefined = continueWith.changesPageToken; token !== undefined;) {
    const body: object = {
      fromSnapshotToken,
      toSnapshotToken,
      select,
      pageToken: token,
      pageSize: 1 + chance.below(100),
    }
    const page: ChangesPage | undefined = await answered(run, caller, {
      method: 'POST',
      path: `${run.paths.typed(type)}/changes`,
      body,
    })
    if (page === undefined) return
    version = Number(page.toVersion)
    for (const change of page.data) {
      if (change.type === 'put') got.set(change.primaryKey, change.object.properties)
      else got.delete(change.primaryKey)
    }
    token = page.nextPageToken
  }
  const later = 'snapshotToken' in asked ? { ...asked, snapshotToken: toSnapshotToken } : asked
  const walked = await allPages<Record1>(run, {
    caller,
    from: continueWith.pageToken,
    request: search(run, type, () => ({ ...later, pageSize: 1 + chance.below(200) })),
    onPage: (page: Page) => {
      for (const { primaryKey, properties } of page.data) {
        if (got.has(primaryKey)) violation('a continued walk sends an object twice', { type, primaryKey })
        got.set(primaryKey, properties)
      }
    },
    onRefusal: async ({ parameters }) => {
      if (parameters?.continueWith === undefined) return false
      await continueLater(run, {
        caller,
        type,
        asked: later,
        select,
        seen: got,
        continueWith: parameters.continueWith,
      })
      return true
    },
  })
  if (walked === undefined) return
  const { last } = walked
  if (Number(last.version) !== version)
    violation('a continued walk is in another state than its changes', { version, now: last.version })
  run.later(() => {
    const want = expected(run, { caller, type, version: version ?? 0, filter: everything })
    const details = { type, version, asked }
    compareObjects(run, { what: 'continued walk', got: [...got.values()], want, select, details })
    checkTotals(run, 'continued walk', { type, version: version ?? 0, answer: last, want: want.length })
  })
}

/** Everything of a type in its latest state. */
export async function readWhole(run: Run, caller: Caller, type: TypeName, filter: Filter): Promise<void> {
  const request = search(run, type, () => ({ query: filter.query, snapshot: true, pageSize: 1_000 }))
  const walked = await allPages<Record1>(run, { caller, request })
  if (walked === undefined) throw new Error(`the latest state of ${type} cannot be read`)
  const got = walked.items.map(propertiesOf)
  const { last } = walked
  run.later(() => {
    const version = Infinity
    const want = expected(run, { caller, type, version, filter })
    compareObjects(run, { what: 'latest state', got, want, details: { type } })
    checkTotals(run, 'latest state', { type, version, answer: last, want: want.length })
  })
}
