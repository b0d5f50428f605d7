// What a commit that is applied in steps (apply-in-steps.ts) leaves besides its objects: the commit, its idempotency key, the audit
// and the clock.
import { storable } from '../../audit/audit-record.ts'
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Row } from '../../postgres/database.ts'
import type { CommitFacts } from './compile-commit.ts'
import type { EpochClock } from '../../catalog/epochs.ts'

/** What the commits change in the clock row of their type. */
export interface Clock {
  version: bigint
  live: bigint
  largest: number
  epochs: EpochClock
  checksum: bigint
  /** How many rows these commits have ended. */
  ended: bigint
  /** Whether it is not remembered what these commits have changed. */
  forgetsChanges?: boolean
  /** Whether all values have been counted anew. */
  countsAnew?: boolean
}

export const clockColumns = [
  'version',
  'live',
  'largest',
  'epoch',
  'epoch_rows',
  'floor_epoch',
  'checksum',
] as const

export const clockFrom = (row: Row): Clock => ({
  version: BigInt(row['version'] ?? 0),
  live: BigInt(row['live'] ?? 0),
  largest: Number(row['largest']),
  epochs: {
    epoch: BigInt(row['epoch'] ?? 0),
    epochRows: BigInt(row['epoch_rows'] ?? 0),
    floorEpoch: BigInt(row['floor_epoch'] ?? 0),
  },
  checksum: BigInt(row['checksum'] ?? 0),
  ended: 0n,
})

export function recordCommit(type: ObjectType, facts: CommitFacts, receipt: Row): readonly SqlQuery[] {
  const { tag, by, idempotency, keyIsTaken } = facts
  const at = receipt['committed_at'] ?? ''
  const version = receipt['version'] ?? ''
  const queries: SqlQuery[] = [
    {
      text: `insert into ${type.tables.commits} (object_type, version, committed_at, tag, live, created, updated, deleted, unchanged, idempotency_key, digest, epoch, checksum)
values ($1::integer, $2::bigint, $3::timestamp, $4::text, $5::bigint, $6::bigint, $7::bigint, $8::bigint, $9::bigint, $10::text, $11::text, $12::bigint, $13::numeric)`,
      values: [
        type.id,
        version,
        at,
        tag,
        receipt['live'] ?? null,
        receipt['created'] ?? null,
        receipt['updated'] ?? null,
        receipt['deleted'] ?? null,
        receipt['unchanged'] ?? null,
        idempotency?.key ?? null,
        idempotency?.digest ?? null,
        receipt['epoch'] ?? null,
        receipt['checksum'] ?? null,
      ],
    },
  ]
  if (idempotency !== undefined && !keyIsTaken) {
    queries.push({
      text: `insert into ${type.schema}.idempotency_keys (key, used_at) values ($1::text, $2::timestamp)`,
      values: [idempotency.key, at],
    })
  }
  if (by !== undefined) {
    queries.push({
      text: `insert into ${type.schema}.audit (at, id, subject, action, object_type, details, objects)
values ($1::timestamp, $2::text, $3::text, 'commit', $4::text, $5::jsonb, $6::bigint)`,
      values: [
        at,
        `${tag}.${type.id}`,
        storable(by),
        type.apiName,
        JSON.stringify({ version }),
        String(Number(receipt['created']) + Number(receipt['updated']) + Number(receipt['deleted'])),
      ],
    })
  }
  return queries
}

export function setClock(type: ObjectType, clock: Clock): SqlQuery {
  const { version, live, largest, epochs, checksum, forgetsChanges, countsAnew } = clock
  const parameters = new Parameters()
  const newest = parameters.add(String(version), 'bigint')
  const set = [
    `version = ${newest}`,
    `live = ${parameters.add(String(live), 'bigint')}`,
    `largest = ${parameters.add(largest, 'integer')}`,
    `epoch = ${parameters.add(String(epochs.epoch), 'bigint')}`,
    `epoch_rows = ${parameters.add(String(epochs.epochRows), 'bigint')}`,
    `checksum = ${parameters.add(String(checksum), 'numeric')}`,
    ...(forgetsChanges ? [`changes_from = ${newest}`] : []),
    ...(countsAnew ? [`counts_from = ${newest}`] : []),
  ]
  return {
    text: `update ${type.tables.clock} as clock set ${set.join(', ')} where object_type = ${parameters.add(type.id, 'integer')}`,
    values: parameters.values,
  }
}
