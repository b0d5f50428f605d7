// The state of a copy, in tables beside the copied ones.
import type { StoredRow } from './copied-row.ts'
import { readCopiedType, type CopiedType } from './copied-type.ts'
import type { CopyDialect, ReadStatements, Statements } from './copy-database.ts'

/** A state of the service that a table equals. It is written in the transaction that writes the objects. */
export interface CopyState {
  readonly type: CopiedType
  readonly ontologyRid: string
  /** Names the state. */
  readonly snapshotToken: string
  readonly version: string
  readonly objects: bigint
  /** The sum of the hashes of all rows. */
  readonly sum: bigint
  readonly syncedAt: string
}

/** A partition of a type that is being loaded, until the type is whole. */
export interface LoadPartition extends CopyState {
  readonly partition: number
  /** Who writes: another run takes over from the one before it. */
  readonly run: string
  /** What all partitions together must have; undefined if the service does not say. */
  readonly expected: { readonly objects?: string | undefined; readonly checksum?: string | undefined }
  /** The client's saved walk; empty when all of it is stored. */
  readonly walk: string
}

export const stateTable = 'octavo_sync'
export const loadTable = 'octavo_sync_loads'

const common = `object_type text not null, ontology_rid text not null, snapshot_token text not null, version text not null,
objects bigint not null, checksum text not null, synced_at text not null, definition text not null`
const commonNames = [
  'object_type',
  'ontology_rid',
  'snapshot_token',
  'version',
  'objects',
  'checksum',
  'synced_at',
  'definition',
]
const loadNames = [...commonNames, 'partition', 'run', 'walk', 'expected_objects', 'expected_checksum']

export async function makeStateTables({ run }: Statements): Promise<void> {
  await run(`create table if not exists ${stateTable} (${common}, primary key (object_type))`)
  await run(
    `create table if not exists ${loadTable} (${common}, partition integer not null, run text not null, walk text not null, expected_objects text, expected_checksum text, primary key (object_type, partition))`,
  )
}

/** Undefined if this database has no copies. */
export async function readStates(
  { rows }: Pick<ReadStatements, 'rows'>,
  { findTable }: CopyDialect,
): Promise<readonly CopyState[] | undefined> {
  if ((await rows(findTable, [stateTable])).length === 0) return undefined
  return (await rows(`select * from ${stateTable} order by object_type`)).map(stateIn)
}

export const saveState = ({ run }: Statements, state: CopyState): Promise<void> =>
  run(putInto(stateTable, commonNames, ['object_type']), stateValues(state))

export async function readLoad({ rows }: Statements, objectType: string): Promise<readonly LoadPartition[]> {
  const found = await rows(`select * from ${loadTable} where object_type = $1 order by partition`, [
    objectType,
  ])
  return found.map((row) => ({
    ...stateIn(row),
    partition: Number(row['partition']),
    run: String(row['run']),
    walk: String(row['walk']),
    expected: {
      objects: row['expected_objects'] === null ? undefined : String(row['expected_objects']),
      checksum: row['expected_checksum'] === null ? undefined : String(row['expected_checksum']),
    },
  }))
}

/** Whether no other run has taken over. */
export async function isOurs(
  { rows }: Statements,
  { type, partition, run }: LoadPartition,
): Promise<boolean> {
  const text = `select partition from ${loadTable} where object_type = $1 and partition = $2 and run = $3`
  return (await rows(text, [type.apiName, partition, run])).length > 0
}

export const saveLoadPartition = ({ run }: Statements, load: LoadPartition): Promise<void> =>
  run(putInto(loadTable, loadNames, ['object_type', 'partition']), [
    ...stateValues(load),
    load.partition,
    load.run,
    load.walk,
    load.expected.objects ?? null,
    load.expected.checksum ?? null,
  ])

export const removeLoad = ({ run }: Statements, objectType: string): Promise<void> =>
  run(`delete from ${loadTable} where object_type = $1`, [objectType])

function putInto(table: string, names: readonly string[], key: readonly string[]): string {
  const changed = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`)
  return `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) on conflict (${key.join(', ')}) do update set ${changed.join(', ')}`
}

const stateValues = (state: CopyState) => [
  state.type.apiName,
  state.ontologyRid,
  state.snapshotToken,
  state.version,
  state.objects,
  checksumText(state.sum),
  state.syncedAt,
  JSON.stringify(state.type),
]

const stateIn = (row: StoredRow): CopyState => ({
  type: readCopiedType(String(row['definition'])),
  ontologyRid: String(row['ontology_rid']),
  snapshotToken: String(row['snapshot_token']),
  version: String(row['version']),
  objects: BigInt(row['objects'] ?? 0),
  sum: BigInt(`0x${row['checksum']}`),
  syncedAt: String(row['synced_at']),
})

/** As the service writes it. */
export const checksumText = (sum: bigint): string => BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
