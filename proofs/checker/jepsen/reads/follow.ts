// A copy that is kept equal by the changes since its state.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangesPage, Page, Record1 } from '../answers.ts'
import type { Caller } from '../ask.ts'
import { everything, filterByChance, isEverything, type Filter } from '../filters.ts'
import type { TypeName } from '../history.ts'
import { compareObjects, expected, type Run } from '../run.ts'
import type { Thing } from '../state.ts'
import { often } from '../things.ts'
import { allPages, search } from './pages.ts'
import { checkTotals } from './walk.ts'

export interface Followed {
  readonly type: TypeName
  readonly caller: Caller
  /** How long an answer without changes waits for some. */
  readonly waitSeconds: number
}

interface Copy {
  readonly objects: ReadonlyMap<string, Thing>
  readonly token: string
}

export async function keepFollowing(run: Run, followed: Followed): Promise<void> {
  const { chance, things } = run
  const filter = chance.below(2) === 0 ? everything : filterByChance(chance, things)
  let copy: Copy | undefined
  while (run.isGoingOn()) {
    await run.turn()
    try {
      copy =
        copy === undefined ? await readAll(run, followed, filter) : await bringUp(run, followed, filter, copy)
    } catch (error) {
      run.violation('a follower failed', String(error))
    }
    await sleep(chance.below(often(chance, 1) ? 3_000 : 300))
  }
}

async function readAll(run: Run, { type, caller }: Followed, { query }: Filter): Promise<Copy | undefined> {
  const request = search(run, type, () => ({ query, snapshot: true, pageSize: 400 }))
  const walked = await allPages<Record1, Page & { readonly snapshotToken: string }>(run, { caller, request })
  if (walked === undefined) return undefined
  run.count('copies begun')
  const { items, last } = walked
  return {
    objects: new Map(items.map(({ primaryKey, properties }) => [primaryKey, properties])),
    token: last.snapshotToken,
  }
}

/** The copy in a later state; undefined if it must be rebuilt. */
async function bringUp(
  run: Run,
  { type, caller, waitSeconds }: Followed,
  filter: Filter,
  copy: Copy,
): Promise<Copy | undefined> {
  const { chance, violation } = run
  // Changes of everything are asked for in two ways, which may alternate.
  const query = isEverything(filter) && chance.below(2) === 0 ? undefined : filter.query
  let isExpired = false
  const asked = { fromSnapshotToken: copy.token, query, waitSeconds: waitSeconds || undefined }
  const walked = await allPages<ChangesPage['data'][number], ChangesPage>(run, {
    caller,
    request: search(run, type, () => ({ ...asked, pageSize: 1 + chance.below(200) }), 'changes'),
    onRefusal: async ({ errorName }) => {
      isExpired = errorName === 'ChangesExpired'
      return isExpired
    },
  })
  if (walked === undefined) return isExpired ? undefined : copy
  const objects = new Map(copy.objects)
  const named = new Set<string>()
  const isAllSeen = isEverything(filter) && type !== 'doc'
  for (const change of walked.items) {
    const { primaryKey } = change
    if (named.has(primaryKey)) violation('changes name an object twice', { type, primaryKey })
    named.add(primaryKey)
    if (change.type === 'put') objects.set(primaryKey, change.object.properties)
    else if (!objects.delete(primaryKey) && !isAllSeen)
      violation('changes delete what was not seen', { type, change, asked, groups: caller.groups })
  }
  const { last } = walked
  const version = Number(last.toVersion)
  if (named.size > 0)
    run.later(() => {
      const want = expected(run, { caller, type, version, filter })
      compareObjects(run, {
        what: 'changes',
        got: [...objects.values()],
        want,
        details: { type, from: last.fromVersion, version, query: filter.query, groups: caller.groups },
      })
      checkTotals(run, 'changes', { type, version, answer: last, want: want.length })
    })
  return { objects, token: last.snapshotToken }
}
