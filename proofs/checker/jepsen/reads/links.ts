// What links lead to, in both directions, in one state of both types.
import type { Record1 } from '../answers.ts'
import { compareObjects, type Run } from '../run.ts'
import { byText } from '../orders.ts'
import { thingsOf, type Thing } from '../state.ts'
import { allPages, search, type Walked } from './pages.ts'
import { taken, type Snapshot } from './snapshot.ts'
import { propertiesOf } from './walk.ts'
import type { Page } from '../answers.ts'

interface Pair {
  readonly source: string
  readonly target: string
}

export async function links(run: Run): Promise<void> {
  const { chance } = run
  const caller = chance.one(run.readers)
  const state = await taken(run, caller, { objectTypes: ['item', 'owner'] })
  if (state === undefined) return
  const { snapshot } = state
  const below = chance.below(5)
  const walk = <Item>(
    type: 'item' | 'owner',
    what: string,
    field: string,
    mostInPage: number,
  ): Promise<Walked<Item, Page<Item>> | undefined> =>
    allPages<Item>(run, {
      caller,
      request: search(
        run,
        type,
        () => ({
          query: { type: 'lt', field, value: below },
          snapshotToken: snapshot.token,
          pageSize: 1 + chance.below(mostInPage),
        }),
        `links/${what}`,
      ),
    })
  switch (chance.below(3)) {
    case 0: {
      const walked = await walk<Record1>('owner', 'items/search', 'level', 100)
      return (
        walked &&
        check(run, snapshot, below, { what: 'items of owners', got: walked.items.map(propertiesOf) })
      )
    }
    case 1: {
      const walked = await walk<Record1>('item', 'owner/search', 'n', 10)
      return (
        walked &&
        check(run, snapshot, below, { what: 'owners of items', got: walked.items.map(propertiesOf) })
      )
    }
    default: {
      const walked = await walk<Pair>('item', 'owner/pairs', 'n', 50)
      return walked && check(run, snapshot, below, { what: 'pairs', got: walked.items })
    }
  }
}

type What = 'items of owners' | 'owners of items' | 'pairs'

function check(
  run: Run,
  { versions }: Snapshot,
  below: number,
  { what, got }: { readonly what: What; readonly got: readonly object[] },
): void {
  run.later(() => {
    const items = thingsOf(run.history.item.at(versions['item'] ?? 0))
    const owners = new Map(
      thingsOf(run.history.owner.at(versions['owner'] ?? 0)).map((owner) => [owner.id, owner]),
    )
    const isLess = (value: number | null | undefined): boolean => value != null && value < below
    const ownerOf = ({ ownerId }: Thing): Thing | undefined =>
      ownerId == null ? undefined : owners.get(ownerId)
    const linking = items.filter((item) => isLess(item.n) && ownerOf(item) !== undefined)
    const want = {
      'items of owners': () => items.filter((item) => isLess(ownerOf(item)?.level)),
      'owners of items': () => [...new Set(linking.flatMap((item) => ownerOf(item) ?? []))],
      pairs: () =>
        linking
          .map(({ id, ownerId }) => ({ source: id, target: ownerId }))
          .toSorted((a, b) => byText(a.source, b.source)),
    }[what]()
    compareObjects(run, { what, got, want, details: { versions, below } })
  })
}
