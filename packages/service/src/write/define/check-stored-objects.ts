// Checks, before anything is changed, whether the stored objects fit a definition.
import type { ObjectTypeDefinition } from '@octavo/protocol'
import type { Database, Reader, Row } from '../../postgres/database.ts'
import { asksMoreOfObjects } from './asks-more-of-objects.ts'
import { evolvedType } from './evolved-type.ts'
import { doesNotFit, fitObject, type UnfitObject } from './fit-object.ts'
import type { IndexDeclaration } from '../../catalog/index-declaration.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { readPortion, rowsAtOnce } from './stored-objects.ts'
import { createIndex, dropIndex, tableSides } from '../../catalog/type-tables.ts'

/** For a dry run: checks all objects that are stored now. Writers are not locked out, so an object that is put later may still not fit. */
export async function checkStoredObjects(
  database: Reader,
  before: ObjectType,
  definition: ObjectTypeDefinition,
): Promise<void> {
  const after = evolvedType(before, definition, before.revisionTag)
  if (asksMoreOfObjects(before, after)) await checkRows(database, after)
}

/** Exists only during a check. If the check is interrupted, the next check of the type drops it. */
const byVersion: IndexDeclaration = {
  number: 0,
  kind: 'order',
  keys: [{ column: 'version_from', direction: 'asc' }],
  ready: false,
}

const mostTries = 10

/** Checks what was committed since the last check. To be called with the clock locked, so that nothing more is committed. */
export type CheckNewer = (reader: Reader) => Promise<void>

/**
 * Checks all stored objects, then does the work that saves the definition. Writers are not locked out meanwhile: the rows that they
 * commit during one check are checked by the next, until few are left. Those few are left to `checkNewer`, which the work calls once
 * it has locked the clock.
 */
export async function withStoredObjectsChecked<T>(
  database: Database,
  after: ObjectType,
  work: (checkNewer: CheckNewer) => Promise<T>,
): Promise<T> {
  try {
    for (const side of tableSides) {
      await database.run(dropIndex(after, byVersion, side))
      await database.run(createIndex(after, byVersion, side, { concurrently: true }))
    }
    const holder = database.holding(after.schema)
    let checked = await clockVersion(holder, after)
    await checkRows(holder, after)
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const version = await clockVersion(holder, after)
      const rows = await checkRows(holder, after, checked)
      checked = version
      if (rows <= rowsAtOnce) break
    }
    return await work(async (reader) => void (await checkRows(reader, after, checked)))
  } finally {
    for (const side of tableSides) await database.run(dropIndex(after, byVersion, side))
  }
}

async function clockVersion(reader: Reader, { id, tables }: ObjectType): Promise<string> {
  const rows = await reader.rows({
    text: `select version from ${tables.clock} where object_type = $1`,
    values: [id],
  })
  return rows[0]?.['version'] ?? '0'
}

/** Enough for the caller to see what is wrong. */
const mostNamed = 20

/** Returns how many rows were checked. Current comes first: a row that is moved in the meantime is found in history. */
async function checkRows(reader: Reader, type: ObjectType, newerThan?: string): Promise<number> {
  const unfit: UnfitObject[] = []
  let count = 0
  for (const side of tableSides) {
    let after: Row | undefined
    do {
      const rows = await readPortion(reader, {
        type,
        side,
        after,
        ...(newerThan !== undefined && { newerThan }),
      })
      for (const row of rows) {
        const checked = fitObject(type, row, side)
        if ('problem' in checked && unfit.length < mostNamed) unfit.push(checked)
      }
      count += rows.length
      after = rows.at(-1)
    } while (after !== undefined && unfit.length < mostNamed)
  }
  if (unfit.length > 0) throw doesNotFit(type, unfit)
  return count
}
