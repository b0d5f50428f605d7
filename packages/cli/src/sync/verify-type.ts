// Whether a copy is what it says that it is: what its rows add up to is computed from the rows themselves, and compared with what
// the service says of the state that the copy has.
import type { Client } from '@octavo/client'
import { objectInRow, signedHash } from './copied-row.ts'
import { hashColumn, quotedName, tableName } from './copied-type.ts'
import type { CopyDialect, ReadStatements } from './copy-database.ts'
import { checksumText, type CopyState } from './copy-state.ts'
import { expiredBy, isGone } from './service-answers.ts'

/** The sum over the rows of a table. */
export interface CountedRows {
  readonly objects: bigint
  readonly checksum: string
  /** The keys of the first rows that are not what was copied. */
  readonly changed: readonly string[]
  readonly changedRows: number
}

/** The service's sum and count of a state. */
export type ServiceFacts =
  | { readonly kind: 'known'; readonly objects: string | undefined; readonly checksum: string | undefined }
  /** The service does not keep the state any more. */
  | { readonly kind: 'forgotten'; readonly because: string }

export interface VerifiedType {
  readonly state: CopyState
  /** Undefined if the table is gone. */
  readonly counted: CountedRows | undefined
  readonly service: ServiceFacts
}

const mostShown = 10

export async function countRows(
  { rows, each }: ReadStatements,
  { findTable }: CopyDialect,
  { type }: CopyState,
): Promise<CountedRows | undefined> {
  const name = tableName({ role: 'live', type })
  if ((await rows(findTable, [name])).length === 0) return undefined
  let [objects, sum, changedRows] = [0n, 0n, 0]
  const changed: string[] = []
  for await (const some of each(`select * from ${quotedName(name)}`)) {
    for (const row of some) {
      const object = objectInRow(row, type)
      const hash = signedHash(object)
      objects += 1n
      sum += hash
      if (hash === BigInt(row[hashColumn] ?? 0)) continue
      changedRows += 1
      if (changed.length < mostShown) changed.push(object.primaryKey)
    }
  }
  return { objects, checksum: checksumText(sum), changed, changedRows }
}

/** The difference of a state from itself is empty, and says what the state has, even if it can no longer be read. */
export async function factsOfService(
  client: Client,
  family: string,
  { type, snapshotToken }: CopyState,
  signal: AbortSignal,
): Promise<ServiceFacts> {
  const objects = client.family(family).objects(type.apiName)
  try {
    const changes = objects.changes(snapshotToken, { toSnapshotToken: snapshotToken, signal })
    for await (const page of changes.pages()) {
      if (page.length > 0) throw new TypeError('a state differs from itself')
    }
    return { kind: 'known', objects: changes.totalCount, checksum: changes.checksum }
  } catch (error) {
    const { because } = expiredBy(error) ?? {}
    if (because === undefined && !isGone(error)) throw error
    return { kind: 'forgotten', because: because ?? 'the service no longer keeps that state' }
  }
}

/** The differences, as sentences; empty if there are none. */
export function problemsOf({ state, counted, service }: VerifiedType): readonly string[] {
  const { apiName } = state.type
  if (counted === undefined) return [`The table ${apiName} is gone.`]
  const problems: string[] = []
  const { changed, changedRows, objects, checksum } = counted
  if (changedRows > 0) {
    const more = changedRows > changed.length ? `, and ${changedRows - changed.length} more` : ''
    problems.push(`Changed in the copy: ${changed.join(', ')}${more}.`)
  }
  const wanted =
    service.kind === 'known' && service.objects !== undefined ? BigInt(service.objects) : state.objects
  if (objects !== wanted) {
    const [many, what] = objects < wanted ? [wanted - objects, 'missing'] : [objects - wanted, 'too many']
    problems.push(`Rows ${what} in the copy: ${many}.`)
  }
  const recorded = checksumText(state.sum)
  const expected = service.kind === 'known' ? (service.checksum ?? recorded) : recorded
  if (problems.length === 0 && checksum !== expected) {
    problems.push(`Its rows add up to ${checksum}, and those of the service to ${expected}.`)
  }
  return problems
}
