// Finds the checksum of a type whose objects were written before there were checksums, or by an earlier release since. The hashes are
// summed while writers go on: each of their commits keeps the sum that the clock row has, right or wrong, so the difference that
// one statement finds between the two is the difference at any later version too.
import { checksumIsKnown, compileChecksumAfter } from '../../catalog/checksums.ts'
import { countsAreKnown } from '../../catalog/counts.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'
import { fillColumns } from './fill-columns.ts'

/** What is not known of a type. */
interface UnknownSums {
  readonly checksum: boolean
  readonly counts: boolean
}

/** By their numbers, the object types whose checksum or counts are not known. */
export async function typesWithoutSums(
  database: SchemaDatabase,
  { schema }: { readonly schema: string },
): Promise<ReadonlyMap<number, UnknownSums>> {
  const rows = await database.rows({
    text: `select object_type, ${checksumIsKnown('k')} as summed, ${countsAreKnown('k')} as counted from ${schema}.clock k where not (${checksumIsKnown('k')} and ${countsAreKnown('k')})`,
    values: [],
  })
  return new Map(
    rows.map(({ object_type: id, summed, counted }) => [
      Number(id),
      { checksum: summed !== 't', counts: counted !== 't' },
    ]),
  )
}

/** If an earlier release writes meanwhile, the checksum stays unknown; the next run finds it. */
export async function findChecksum(database: SchemaDatabase, type: ObjectType): Promise<void> {
  const column = type.columns.find(({ role }) => role === 'hash')
  if (column === undefined) return
  if ((await sumHashes(database, type, column.name)) === 'summed') return
  // An earlier release has written objects, which it does not hash.
  await fillColumns(database, type, [column])
  await sumHashes(database, type, column.name)
}

async function sumHashes(
  database: SchemaDatabase,
  type: ObjectType,
  hash: string,
): Promise<'summed' | 'hashes are missing'> {
  const { clock, current, commits } = type.tables
  // A value below zero stands for this work: a commit that does not keep the sum takes it away.
  await database.rows({
    text: `update ${clock} set checksum_version = version, checksum_from = -1 where object_type = $1`,
    values: [type.id],
  })
  const [found] = await database.rows({
    text: `select k.checksum_version = k.version as kept, h.missing, ${compileChecksumAfter('h.hashed', '-k.checksum')} as difference
from ${clock} k cross join (
  select coalesce(sum(${hash}), 0) as hashed, count(*) filter (where ${hash} is null) as missing from ${current}
) h where k.object_type = $1`,
    values: [type.id],
  })
  if (found?.['missing'] !== '0') return 'hashes are missing'
  if (found['kept'] !== 't') return 'summed'
  await database.transaction(async (transaction) => {
    const known = await transaction.count({
      text: `update ${clock} set checksum = ${compileChecksumAfter('checksum', '$2::numeric')}, checksum_from = version
where object_type = $1 and checksum_version = version and checksum_from = -1`,
      values: [type.id, found['difference'] ?? ''],
    })
    if (known === 0) return
    await transaction.count({
      text: `update ${commits} m set checksum = k.checksum from ${clock} k
where k.object_type = $1 and m.object_type = $1 and m.version = k.version`,
      values: [type.id],
    })
  })
  return 'summed'
}
