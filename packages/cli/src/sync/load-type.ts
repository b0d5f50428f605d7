// Loads all objects of a type into a table beside the live one, page by page. Each page is stored together with the position of
// the next one, so that a load that was killed continues there.
import { randomUUID } from 'node:crypto'
import type { Client, Walk } from '@octavo/client'
import { rowOf, type CopiedObject } from './copied-row.ts'
import type { CopiedType, CopyTable } from './copied-type.ts'
import type { CopyDatabase } from './copy-database.ts'
import { CopyProblem } from './copy-problem.ts'
import {
  checksumText,
  isOurs,
  readLoad,
  removeLoad,
  saveLoadPartition,
  type CopyState,
  type LoadPartition,
} from './copy-state.ts'
import { makeTable, putRows } from './copy-tables.ts'

export interface WantedTypeLoad {
  readonly database: CopyDatabase
  readonly client: Client
  readonly family: string
  readonly ontologyRid: string
  readonly type: CopiedType
  /** Names the state that is loaded. */
  readonly snapshotToken: string
  /** How many readers work side by side. */
  readonly partitions: number
  readonly now: () => Date
  readonly signal: AbortSignal
}

export interface BegunLoad {
  readonly partitions: readonly LoadPartition[]
  readonly isResumed: boolean
}

/** Takes over the load that was begun, if there is one. */
export const resumeLoad = (
  { database, ontologyRid }: Pick<WantedTypeLoad, 'database' | 'ontologyRid'>,
  objectType: string,
): Promise<BegunLoad | undefined> =>
  database.writing(async (statements) => {
    const begun = await readLoad(statements, objectType)
    if (begun[0]?.ontologyRid !== ontologyRid) return undefined
    const partitions = begun.map((partition) => ({ ...partition, run: randomUUID() }))
    for (const partition of partitions) await saveLoadPartition(statements, partition)
    return { partitions, isResumed: true }
  })

export async function beginTypeLoad(wanted: WantedTypeLoad): Promise<BegunLoad> {
  const { client, family, type, snapshotToken, signal, database } = wanted
  const split = await client
    .family(family)
    .objects(type.apiName)
    .partitions(wanted.partitions, { snapshotToken, signal })
  const state: CopyState = {
    type,
    ontologyRid: wanted.ontologyRid,
    snapshotToken,
    version: split.version,
    objects: 0n,
    sum: 0n,
    syncedAt: wanted.now().toISOString(),
  }
  const expected = { objects: split.totalCount, checksum: split.checksum }
  const partitions = split.partitions.map((walk, partition) => ({
    ...state,
    partition,
    run: randomUUID(),
    expected,
    walk: walk.save(),
  }))
  await database.writing(async (statements) => {
    await makeTable(statements, database.dialect, { role: 'staging', type })
    await removeLoad(statements, type.apiName)
    for (const partition of partitions) await saveLoadPartition(statements, partition)
  })
  return { partitions, isResumed: false }
}

/** Reads what is missing, and returns the state that the table beside then has. */
export async function loadType(
  wanted: Pick<WantedTypeLoad, 'database' | 'client' | 'signal'>,
  { partitions }: BegunLoad,
  onPage: (partition: LoadPartition) => void,
): Promise<CopyState> {
  const stop = new AbortController()
  const signal = AbortSignal.any([wanted.signal, stop.signal])
  const loading = partitions.map((partition) => loadPartition({ ...wanted, signal }, partition, onPage))
  const ended = await Promise.all(loading).catch(async (error: unknown) => {
    stop.abort()
    await Promise.allSettled(loading)
    throw error
  })
  const [first] = ended
  if (first === undefined) throw new TypeError('a load has at least one partition')
  const objects = ended.reduce((total, partition) => total + partition.objects, 0n)
  const sum = ended.reduce((total, partition) => total + partition.sum, 0n)
  const { expected } = first
  const isOther =
    (expected.objects !== undefined && expected.objects !== String(objects)) ||
    (expected.checksum !== undefined && expected.checksum !== checksumText(sum))
  if (isOther) throw new CopyProblem('incomplete load', first.type.apiName)
  return { ...first, objects, sum }
}

async function loadPartition(
  { database, client, signal }: Pick<WantedTypeLoad, 'database' | 'client' | 'signal'>,
  begun: LoadPartition,
  onPage: (partition: LoadPartition) => void,
): Promise<LoadPartition> {
  let partition = begun
  if (partition.walk === '') return partition
  const table: CopyTable = { role: 'staging', type: partition.type }
  const walk: Walk<CopiedObject> = client.resume(partition.walk, { signal })
  const store = (objects: readonly CopiedObject[], next: string): Promise<void> =>
    database.writing(async (statements) => {
      if (!(await isOurs(statements, partition)))
        throw new CopyProblem('written elsewhere', partition.type.apiName)
      const rows = objects.map((object) => rowOf(object, partition.type))
      const added = await putRows(statements, database.dialect, table, rows)
      partition = {
        ...partition,
        objects: partition.objects + added.objects,
        sum: partition.sum + added.sum,
        walk: next,
      }
      await saveLoadPartition(statements, partition)
    })
  for await (const page of walk.pages()) {
    await store(page.data, walk.save())
    onPage(partition)
  }
  await store([], '')
  return partition
}
