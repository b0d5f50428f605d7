// Makes a copy equal to the latest state of the service: loads the missing types, then brings all of them to one state.
import type { Client } from '@octavo/client'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TypeFacts } from '../reading/type-facts.ts'
import { bringUp, type Brought, type BroughtType } from './bring-up.ts'
import { copiedType, tableName, type CopiedType } from './copied-type.ts'
import type { CopyDatabase } from './copy-database.ts'
import { CopyProblem } from './copy-problem.ts'
import {
  loadTable,
  makeStateTables,
  readStates,
  stateTable,
  type CopyState,
  type LoadPartition,
} from './copy-state.ts'
import { forgetLoad, hasTable } from './copy-tables.ts'
import { beginTypeLoad, loadType, resumeLoad, type BegunLoad } from './load-type.ts'
import { isGone } from './service-answers.ts'

export interface Sync {
  readonly database: CopyDatabase
  readonly client: Client
  readonly family: string
  readonly ontologyRid: string
  readonly readFacts: (objectType: string) => Promise<TypeFacts>
  /** How many readers a load has. */
  readonly partitions: number
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly watch: SyncWatch
}

/** Reports how far a run is. */
export interface SyncWatch {
  readonly onLoad: (begun: BegunLoad) => void
  readonly onPage: (partition: LoadPartition) => void
  readonly onStartAgain: (objectType: string) => void
}

export interface SyncedType extends Brought {
  /** Whether all of it was read. */
  readonly isLoaded: boolean
}

/** For this long an instance of the service may not know of a property that another one has added. */
const definitionWaitMs = 1_500
const mostReadings = 5

/** `reload` are those to be loaded although the copy has them. */
export async function syncTypes(
  sync: Sync,
  objectTypes: readonly string[],
  reload: ReadonlySet<string>,
): Promise<readonly SyncedType[]> {
  for (let reading = 1; ; reading += 1) {
    try {
      return await syncNow(sync, objectTypes, reload)
    } catch (error) {
      const isNewer = error instanceof CopyProblem && error.kind === 'newer definition'
      if (!isNewer || reading === mostReadings) throw error
      await sync.database.writing((statements) => forgetLoad(statements, error.objectType))
      await sleep(definitionWaitMs, undefined, { signal: sync.signal })
    }
  }
}

async function syncNow(
  sync: Sync,
  objectTypes: readonly string[],
  reload: ReadonlySet<string>,
): Promise<readonly SyncedType[]> {
  const states = await prepare(sync, objectTypes, reload)
  const there = new Map(states.map((state) => [state.type.apiName, state]))
  const missing = objectTypes.filter((name) => reload.has(name) || !there.has(name))
  const loaded = await loadAll(sync, missing)
  const to = await sync.client.family(sync.family).snapshot(objectTypes, { signal: sync.signal })
  // Read after the state is named, so that they have all properties of its objects.
  const types: BroughtType[] = []
  for (const name of objectTypes) {
    const from = loaded.get(name) ?? there.get(name)
    if (from === undefined) throw new TypeError(`neither there nor loaded: ${name}`)
    const now = copiedType(await sync.readFacts(name))
    types.push({ role: loaded.has(name) ? 'staging' : 'live', from, now })
  }
  const brought = await bringUp({ ...sync, types, to })
  return brought.map((each) => ({ ...each, isLoaded: loaded.has(each.state.type.apiName) }))
}

/** The states of what is there. Refuses to write over tables that are not copies. */
const prepare = (
  { database, ontologyRid }: Sync,
  objectTypes: readonly string[],
  reload: ReadonlySet<string>,
): Promise<readonly CopyState[]> =>
  database.writing(async (statements) => {
    await makeStateTables(statements)
    const states = (await readStates(statements, database.dialect)) ?? []
    for (const apiName of objectTypes) {
      const state = states.find(({ type }) => type.apiName === apiName)
      if (state !== undefined) {
        if (state.ontologyRid !== ontologyRid) throw new CopyProblem('another ontology', apiName)
        // Left by a run that was to make a new copy and was killed.
        if (!reload.has(apiName)) await forgetLoad(statements, apiName)
        continue
      }
      const name = tableName({ role: 'live', type: { apiName, primaryKey: '', properties: {} } })
      const isReserved = /^(octavo_|sqlite_)/i.test(name) || name === stateTable || name === loadTable
      if (isReserved) throw new CopyProblem('reserved name', apiName)
      if (await hasTable(statements, database.dialect, name)) throw new CopyProblem('not a copy', apiName)
    }
    return states
  })

/** All new ones are of one state, unless an earlier run has begun to load them. */
async function loadAll(sync: Sync, objectTypes: readonly string[]): Promise<ReadonlyMap<string, CopyState>> {
  const loaded = new Map<string, CopyState>()
  if (objectTypes.length === 0) return loaded
  const { client, family, signal, watch } = sync
  const name = async () => (await client.family(family).snapshot(objectTypes, { signal })).snapshotToken
  const snapshotToken = await name()
  const begin = async (type: CopiedType, token: string): Promise<BegunLoad> =>
    beginTypeLoad({ ...sync, type, snapshotToken: token })
  for (const objectType of objectTypes) {
    const resumed = await resumeLoad(sync, objectType)
    const begun = resumed ?? (await begin(copiedType(await sync.readFacts(objectType)), snapshotToken))
    watch.onLoad(begun)
    try {
      loaded.set(objectType, await loadType(sync, begun, watch.onPage))
    } catch (error) {
      // A load that an earlier run began may be too old to be finished. One that this run began is not begun again and again.
      if (!begun.isResumed || !isGone(error)) throw error
      watch.onStartAgain(objectType)
      const again = await begin(copiedType(await sync.readFacts(objectType)), await name())
      watch.onLoad(again)
      loaded.set(objectType, await loadType(sync, again, watch.onPage))
    }
  }
  return loaded
}
