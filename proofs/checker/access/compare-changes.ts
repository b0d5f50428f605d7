import type { Comparison } from './comparison.ts'
import { tool } from './compare-tools.ts'
import { get, post, searchPath } from './paths.ts'
import { accepted } from './serve.ts'
import { docs, pair, put, remove, type TwoTypes } from './two-types.ts'

/** The changes since now, after some commits of visible and hidden objects. */
export async function compareChanges({ both, walk, two }: Comparison): Promise<void> {
  const states = new Map<string, string>()
  for (const side of pair) {
    const call = post('/api/one/v1/snapshots', { objectTypes: [docs(side)] })
    states.set(side, (await accepted<{ readonly snapshotToken: string }>(two.ask, call)).snapshotToken)
  }
  await change(two)
  for (const pageSize of [1, 2, 3, 1_000]) {
    for (const query of [undefined, { type: 'eq', field: 'cat', value: 'a' }])
      await walk(`changes ${JSON.stringify({ pageSize, query })}`, 30, (side, pageToken) =>
        post(`${searchPath(docs(side))}/changes`, {
          fromSnapshotToken: states.get(side),
          pageSize,
          query,
          pageToken,
        }),
      )
  }
  await both('tool changes_since', (side) =>
    tool('changes_since', { objectType: docs(side), since: states.get(side) }),
  )
  for (const key of ['v000003', 'v000005', String(two.hidden(3)['id'])])
    await both(`versions after changes ${key}`, (side) =>
      get(`${searchPath(docs(side))}/objects/${key}/versions?pageSize=1`),
    )
}

/** Each commit changes a visible object; some hidden ones are changed, deleted, and moved to another place where they are hidden. */
async function change({ visible, hidden, size, commit }: TwoTypes): Promise<void> {
  const some = (from: number, to: number) =>
    Array.from({ length: Math.max(0, Math.min(to, size.hidden) - from) }, (_, i) => hidden(from + i))
  await commit(
    [
      put({ ...visible(3), n: 99 }),
      remove('v000005'),
      ...[10, 11, 12, 13].map((i) => put({ ...visible(i), n: 97 })),
    ],
    [
      ...some(0, 40).map((object) => put({ ...object, n: 77 })),
      ...some(50, 70).map(({ id }) => remove(String(id))),
      ...some(100, size.hidden).map((object) => put({ ...object, n: 78 })),
    ],
  )
  await commit(
    [put({ ...visible(4), n: 98 })],
    some(80, 81).map((object) => put({ ...object, dept: 'g3' })),
  )
}
