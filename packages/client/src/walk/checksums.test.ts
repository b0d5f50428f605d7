// A walk of all objects in one state is compared with the checksum of that state (P250 to P252).
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  failureOf,
  keysOf,
  scriptedServer,
  type Asked,
  type Scripted,
} from '../../test/support/scripted-server.ts'
import { addHashes, noHashes } from './content-hash.ts'

interface Vectors {
  readonly objects: readonly { readonly object: FoundLike; readonly hash: string }[]
  readonly checksum: string
}
interface FoundLike {
  readonly primaryKey: string
  readonly properties: Readonly<Record<string, unknown>>
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../../docs/reference/checksum-vectors.json', import.meta.url), 'utf8'),
) as Vectors
const objects = vectors.objects.map(({ object }) => object)

const reversed = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? value.map(reversed)
      : Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([name, member]) => [name, reversed(member)]),
        )

it('P250: every object of the vectors has its hash, in whatever order its names come', () => {
  for (const { object, hash } of vectors.objects) {
    expect(addHashes(noHashes, [object])).toBe(hash)
    expect(addHashes(noHashes, [reversed(object)])).toBe(hash)
  }
  expect(addHashes(noHashes, objects)).toBe(vectors.checksum)
  expect(addHashes(addHashes(noHashes, objects.slice(20)) ?? '', objects.slice(0, 20))).toBe(vectors.checksum)
})

it('an object of any size is hashed', () => {
  const large = { primaryKey: 'l', properties: { text: 'é'.repeat(300_000) } }
  expect(addHashes(noHashes, [large])).toMatch(/^[0-9a-f]{16}$/)
  expect(addHashes(noHashes, objects)).toBe(vectors.checksum)
})

const size = 7

/** Pages of these objects; the last has the checksum of the vectors. */
const pagesOf =
  (shown: readonly unknown[]) =>
  ({ pageToken }: Asked): Scripted => {
    const from = Number(pageToken?.slice(1) ?? 0)
    const isLast = from + size >= shown.length
    return {
      body: {
        data: shown.slice(from, from + size),
        totalCount: String(objects.length),
        version: '7',
        ...(isLast ? { checksum: vectors.checksum } : { nextPageToken: `t${from + size}` }),
      },
    }
  }

const walkOf = async (shown: readonly unknown[], options: object = { snapshot: true }) => {
  const { client } = await scriptedServer(pagesOf(shown))
  return client().family('f').objects('o').all(options)
}

it('P251: a walk with the right objects ends', async () => {
  expect(await keysOf(await walkOf(objects))).toHaveLength(50)
})

const [first, second] = objects
it.for([
  ['an object instead of another', [...objects.slice(0, -1), first]],
  [
    'an old state of an object',
    [{ ...first, properties: { ...first?.properties, text: 'old' } }, ...objects.slice(1)],
  ],
  ['a property less', [first, { ...second, properties: { id: second?.primaryKey } }, ...objects.slice(2)]],
  ['the key of another', [{ ...first, primaryKey: 'other' }, ...objects.slice(1)]],
] as const)('P251: %s is noticed, although the number is right', async ([, shown]) => {
  const failure = await failureOf(keysOf(await walkOf(shown)))
  expect(failure).toMatchObject({
    errorName: 'IncompleteWalk',
    parameters: { received: 50, checksum: { expected: vectors.checksum } },
  })
  expect(failure.message).toContain('are not those of its snapshot')
})

it('P251: a resumed walk still has the sum of what came before', async () => {
  for (const [shown, ends] of [
    [objects, true],
    [[objects[1], ...objects.slice(1)], false],
  ] as const) {
    const { client } = await scriptedServer(pagesOf(shown))
    const walk = client().family('f').objects('o').all({ snapshot: true })
    await walk.pages().next()
    const rest = keysOf(client().resume(walk.save()))
    if (ends) expect(await rest).toHaveLength(50 - size)
    else expect(await failureOf(rest)).toMatchObject({ errorName: 'IncompleteWalk' })
  }
})

it('P251: a walk that does not show all of one state is not compared', async () => {
  const wrong = objects.toReversed().map((object) => ({ ...object, primaryKey: 'x' }))
  expect(await keysOf(await walkOf(wrong, {}))).toHaveLength(50)
  expect(await keysOf(await walkOf(wrong, { snapshot: true, select: ['id'] }))).toHaveLength(50)
})

it('P240: a walk can be read at a snapshot token, which is taken for some types or for all', async () => {
  const state = {
    snapshotToken: 'AgF',
    versions: { o: '7' },
    readableUntil: '2026-05-01T10:30:00Z',
  }
  const { client, asked } = await scriptedServer((request) =>
    request.url.pathname.endsWith('/snapshots') ? { body: state } : pagesOf(objects)(request),
  )
  const family = client().family('f')
  expect(await family.snapshot(['o'])).toEqual(state)
  expect(asked.at(-1)?.url.pathname).toBe('/api/f/v1/snapshots')
  expect(asked.at(-1)?.body).toEqual({ objectTypes: ['o'] })
  await family.snapshot()
  expect(asked.at(-1)?.body).toEqual({})
  const { snapshotToken } = state
  expect(await keysOf(family.objects('o').all({ snapshotToken }))).toHaveLength(50)
  expect(asked.at(-1)?.body).toMatchObject({ snapshot: true, snapshotToken })
  await client().ontology('ri.o').objects('o').all({ snapshotToken, readAhead: 0 }).pages().next()
  expect(asked.at(-1)?.url.search).toContain('snapshot=true&snapshotToken=AgF')
  expect(() => family.objects('o').all({ snapshotToken: '' })).toThrow(/snapshotToken/)
})
