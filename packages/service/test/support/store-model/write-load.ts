// What a writer sends: puts, unchanged values, deletes, single objects and batches, two types at once, staged batches.
import { canonicaliseObject } from '../../../src/write/commit/canonicalise-object.ts'
import type { Change, TypeChanges } from '../../../src/write/commit/change.ts'
import type { TestStore } from '../open-test-store.ts'
import type { CommitLedger } from './commit-ledger.ts'
import type { ModelledType } from './modelled-type.ts'
import type { Random } from './seeded-random.ts'
import type { ModelChange } from './type-model.ts'

const anyVersion = 2n ** 63n
const chunkSize = 100

export interface WriterTools {
  readonly store: Pick<TestStore, 'commit' | 'stage'>
  readonly ledger: CommitLedger
  readonly random: Random
  readonly types: readonly [ModelledType, ...ModelledType[]]
}

export async function writeOnce({ store, ledger, random, types }: WriterTools): Promise<void> {
  const choice = random.unit()
  if (choice < 0.1 && types.length > 1) {
    const parts = types.map((modelled) => ({
      modelled,
      changes: makeChanges(modelled, random, random.integer(1, 20)),
    }))
    await ledger.send(parts, () =>
      store.commit({ parts: parts.map(({ modelled, changes }) => toPart(modelled, changes)) }),
    )
    return
  }
  const modelled = random.pick(types)
  const size = choice < 0.6 ? 1 : choice < 0.95 ? random.integer(2, 60) : random.integer(60, 500)
  const changes = makeChanges(modelled, random, size)
  if (choice > 0.9) return stageAll({ store, ledger }, modelled, changes)
  await ledger.send([{ modelled, changes }], () => store.commit({ parts: [toPart(modelled, changes)] }))
}

/** Puts every second key, so that the first walks have objects to read. */
export async function writeFirst({ store, ledger, random, types }: WriterTools): Promise<void> {
  for (const modelled of types) {
    const keys = modelled.keys.filter((_key, i) => i % 2 === 0)
    const changes = keys.map((key) => ({
      kind: 'put' as const,
      key,
      properties: modelled.makeObject(key, random),
    }))
    await ledger.send([{ modelled, changes }], () => store.commit({ parts: [toPart(modelled, changes)] }))
  }
}

async function stageAll(
  { store, ledger }: Pick<WriterTools, 'store' | 'ledger'>,
  modelled: ModelledType,
  changes: readonly ModelChange[],
): Promise<void> {
  const chunks = inChunks(toPart(modelled, changes))
  await ledger.send([{ modelled, changes }], () => store.stage({ chunks }))
}

export const inChunks = ({ type, changes }: TypeChanges): readonly TypeChanges[] =>
  Array.from({ length: Math.ceil(changes.length / chunkSize) }, (_, i) => ({
    type,
    changes: changes.slice(i * chunkSize, (i + 1) * chunkSize),
  }))

export function makeChanges(modelled: ModelledType, random: Random, size: number): readonly ModelChange[] {
  return Array.from({ length: size }, (): ModelChange => {
    const key = random.pick(modelled.keys)
    const choice = random.unit()
    if (choice < 0.3) return { kind: 'delete', key }
    const known = choice < 0.45 ? modelled.model.objectAt(key, anyVersion)?.properties : undefined
    return { kind: 'put', key, properties: known ?? modelled.makeObject(key, random) }
  })
}

export function toPart({ type }: ModelledType, changes: readonly ModelChange[]) {
  return {
    type,
    changes: changes.map((change): Change => {
      if (change.kind === 'delete') return change
      const made = canonicaliseObject(type, change.properties)
      if ('problems' in made) throw new Error(JSON.stringify(made.problems))
      return { kind: 'put', object: made.object }
    }),
  }
}
