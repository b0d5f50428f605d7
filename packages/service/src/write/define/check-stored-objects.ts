// Checks, before anything is changed, whether the stored objects fit a definition. It uses the code that makes the objects'
// columns, so every object that passes can be filled in and indexed afterwards.
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { canonicaliseObject, type CanonicalObject } from '../commit/canonicalise-object.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Database, Reader, Row } from '../../postgres/database.ts'
import { asksMoreOfObjects } from './asks-more-of-objects.ts'
import { evolvedType } from './evolved-type.ts'
import { pointerStep } from '../../base/value/json-object.ts'
import type { IndexDeclaration } from '../../catalog/index-declaration.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { readPortion, rowsAtOnce, storedProperties } from './stored-objects.ts'
import { createIndex, dropIndex, tableSides, type TableSide } from '../../catalog/type-tables.ts'

/** Checks all objects that are stored now. */
export async function checkStoredObjects(
  database: Reader,
  before: ObjectType,
  definition: ObjectTypeDefinition,
): Promise<void> {
  const after = evolvedType(before, definition, before.revisionTag)
  if (asksMoreOfObjects(before, after)) await checkRows(database, after)
}

/** Checks what was committed since the last check. To be called with the clock locked, so that nothing more is committed. */
export type CheckNewer = (reader: Reader) => Promise<void>

/**
 * Writers go on during the check, so what they wrote last is checked while they wait for the lock. By then that is little: the
 * rows committed during one check are checked by the next, until few are left.
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

const mostTries = 10

/** Exists only during a check. If the check is interrupted, the next check of the type drops it. */
const byVersion: IndexDeclaration = {
  number: 0,
  kind: 'order',
  keys: [{ column: 'version_from', direction: 'asc' }],
  ready: false,
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
  let looked = 0
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
      looked += rows.length
      after = rows.at(-1)
    } while (after !== undefined && unfit.length < mostNamed)
  }
  if (unfit.length > 0) throw doesNotFit(type, unfit)
  return looked
}

export const doesNotFit = (type: ObjectType, problems: readonly UnfitObject[]): ServiceError =>
  new ServiceError('IncompatibleDefinition', { objectType: type.apiName, problems: [...problems] })

interface UnfitObject {
  readonly path: string
  readonly primaryKey: string
  readonly problem: string
}

/** The object under the definition of the type, or why it does not fit. */
export function fitObject(type: ObjectType, row: Row, side: TableSide): CanonicalObject | UnfitObject {
  const made = canonicaliseObject(type, storedProperties(row))
  if ('object' in made) return made.object
  const [problem] = made.problems
  const { property = '', problem: broken = '' } = problem ?? {}
  const primaryKey = row['pk'] ?? ''
  const key = JSON.stringify(primaryKey)
  return {
    path: `/properties${pointerStep(property)}`,
    primaryKey,
    problem:
      side === 'current'
        ? `Property ${property} of the stored object ${key} ${broken}. Change that object first.`
        : `Property ${property} of an earlier state of the object ${key} ${broken}. Apply the definition again once that state is no longer kept for snapshots.`,
  }
}
