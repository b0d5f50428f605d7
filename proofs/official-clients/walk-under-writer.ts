// A type whose objects are counted through while a writer changes them, and which of its states a walk has shown.
import { seededRandom } from '@octavo/model'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import type { ObjectType, Ontology, Store } from '../../packages/service/test/inside.ts'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import { expect } from '../harness/prove.ts'

const definition = (apiName: string): ObjectTypeDefinition => ({
  apiName,
  displayName: 'Counted',
  primaryKey: 'number',
  titleProperty: 'number',
  properties: { number: { type: 'integer' }, edition: { type: 'integer' } },
})

/** In place of an edition, for an object that is not there. */
const absent = -1

interface Write {
  readonly number: number
  readonly edition: number
}

export interface Walk {
  /** Called when the first page is there: a walk shows no later state. */
  readonly begun: () => void
  readonly take: (number: unknown, edition: unknown) => void
}

export interface Walked {
  readonly count: number
  /** For the report. */
  readonly figures: string
}

export interface CountedType {
  readonly store: Store
  readonly ontology: Ontology
  readonly apiName: string
  readonly objects: number
  readonly say: (line: string) => void
}

/** Demands that a walk shows exactly one state that stood when it began, while others write. */
export async function walkUnderWriter(
  { store, ontology, apiName, objects, say }: CountedType,
  walk: (walk: Walk) => Promise<void>,
): Promise<Walked> {
  const type = await store.applyObjectType(ontology, definition(apiName))
  await load(store, type, objects)
  say('loaded')
  const writer = startWriter(store, type, objects)
  const seen = new Int32Array(objects * 2).fill(absent)
  let count = 0
  let latest: number | undefined
  const begun = (): void => {
    latest ??= writer.begun()
  }
  try {
    // The writer is at work before the walk begins.
    while (writer.acknowledged() < 3) await new Promise((resolve) => setTimeout(resolve, 10))
    const earliest = writer.acknowledged()
    const startedAt = performance.now()
    await walk({
      begun,
      take: (number, edition) => {
        begun()
        expect(seen[Number(number)] === absent, `${String(number)} came twice`)
        seen[Number(number)] = Number(edition)
        count += 1
      },
    })
    const seconds = (performance.now() - startedAt) / 1_000
    expect(latest !== undefined, 'the walk returned nothing')
    const during = writer.acknowledged() - latest
    const commits = await writer.end()
    expect(during > 0, 'nothing was written during the walk')
    const state = stateThatIs(seen, commits, { objects, earliest, latest })
    expect(state !== undefined, 'what the walk returned is no state that stood when it began')
    const figures = `${count.toLocaleString('en')} objects in ${seconds.toFixed(1)} s, exactly the state of commit ${state} of ${commits.length}; ${during} commits during the walk`
    return { count, figures }
  } finally {
    await writer.end()
  }
}

async function load(store: Store, type: ObjectType, objects: number): Promise<void> {
  const atOnce = 5_000
  for (let from = 0; from < objects; from += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, objects - from) }, (_, i) => from + i)
    const changes = numbers.map((number) => putObject(type, { number, edition: 0 }))
    await store.commit({ parts: [{ type, changes }] })
  }
}

/** Each commit changes, deletes and adds objects all over the type. */
function startWriter(store: Store, type: ObjectType, objects: number) {
  const random = seededRandom(7)
  const commits: (readonly Write[])[] = []
  let acknowledged = 0
  let ending = false
  const isEnding = () => ending
  const work = async (): Promise<void> => {
    while (!isEnding()) {
      const edition = commits.length + 1
      const writes = new Map<number, Write>()
      for (let i = 0; i < 20; i += 1) {
        const number = random.integer(0, objects * 2 - 1)
        writes.set(number, { number, edition: random.chance(0.3) ? absent : edition })
      }
      commits.push([...writes.values()])
      const changes = [...writes.values()].map(({ number, edition: written }) => {
        const put = putObject(type, { number, edition: Math.max(written, 0) })
        return written === absent && put.kind === 'put'
          ? ({ kind: 'delete', key: put.object.key } as const)
          : put
      })
      await store.commit({ parts: [{ type, changes }] })
      acknowledged += 1
    }
  }
  const done = work()
  return {
    acknowledged: () => acknowledged,
    begun: () => commits.length,
    end: async (): Promise<readonly (readonly Write[])[]> => {
      ending = true
      await done
      return commits
    },
  }
}

interface Candidates {
  readonly objects: number
  /** The walk can show no commit before this one, */
  readonly earliest: number
  /** and none after this one. */
  readonly latest: number
}

/** The number of the commit after which the type was as the walk says. */
function stateThatIs(
  seen: Int32Array,
  commits: readonly (readonly Write[])[],
  { objects, earliest, latest }: Candidates,
): number | undefined {
  const state = new Int32Array(objects * 2).fill(absent).fill(0, 0, objects)
  for (let commit = 0; commit <= latest; commit += 1) {
    for (const { number, edition } of commits[commit - 1] ?? []) state[number] = edition
    if (commit >= earliest && state.every((edition, number) => edition === seen[number])) return commit
  }
  return undefined
}
