// What a writer sends: puts, unchanged values, deletes, single objects and batches, two types at once, staged batches.
import type { ModelChange, Random } from '@octavo/model'
import type { TypeChanges } from '../../../src/write/commit/change.ts'
import type { TestStore } from '../open-test-store.ts'
import { partOf } from '../put-object.ts'
import type { CommitLedger } from './commit-ledger.ts'
import type { ModelledType } from './modelled-type.ts'

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
      store.commit({ parts: parts.map(({ modelled, changes }) => partOf(modelled.type, changes)) }),
    )
    return
  }
  const modelled = random.pick(types)
  const size = choice < 0.6 ? 1 : choice < 0.95 ? random.integer(2, 60) : random.integer(60, 500)
  const changes = makeChanges(modelled, random, size)
  if (choice > 0.9) return stageAll({ store, ledger }, modelled, changes)
  await ledger.send([{ modelled, changes }], () => store.commit({ parts: [partOf(modelled.type, changes)] }))
}

/** Puts every second key, so that the first walks have objects to read. */
export async function writeFirst({ store, ledger, random, types }: WriterTools): Promise<void> {
  for (const modelled of types) {
    const keys = modelled.keys.filter((_key, i) => i % 2 === 0)
    const changes = keys.map((key) => ({ key, object: modelled.makeObject(key, random) }))
    await ledger.send([{ modelled, changes }], () =>
      store.commit({ parts: [partOf(modelled.type, changes)] }),
    )
  }
}

async function stageAll(
  { store, ledger }: Pick<WriterTools, 'store' | 'ledger'>,
  modelled: ModelledType,
  changes: readonly ModelChange[],
): Promise<void> {
  const chunks = inChunks(partOf(modelled.type, changes))
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
    if (choice < 0.3) return { key, object: undefined }
    const known = choice < 0.45 ? modelled.versions.at(key, Infinity) : undefined
    return { key, object: known ?? modelled.makeObject(key, random) }
  })
}
