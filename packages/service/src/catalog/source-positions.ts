// Positions of sources, as texts that are compared byte by byte as the positions follow one another.
import type { PositionOrder, SourcePosition } from '@octavo/protocol'
import type { Parameters, SqlQuery } from '../base/sql-query.ts'
import type { Reader, Row } from '../postgres/database.ts'

const ofLsn = (position: string): string | undefined => {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(position) ?? []
  if (high === undefined || low === undefined) return undefined
  return `${high.padStart(8, '0')}${low.padStart(8, '0')}`.toUpperCase()
}

/** The number of digits comes first, so that a longer number follows a shorter one. */
const ofInteger = (position: string): string | undefined =>
  /^(0|[1-9]\d{0,37})$/.test(position) ? `${String(position.length).padStart(2, '0')}${position}` : undefined

// What PostgreSQL cannot store as a text.
const ofText = (position: string): string | undefined =>
  position.includes('\0') || !position.isWellFormed() ? undefined : position

const sortKeys: Readonly<Record<PositionOrder, (position: string) => string | undefined>> = {
  lsn: ofLsn,
  integer: ofInteger,
  text: ofText,
}

/** What a position of each order has to be, for a refusal. */
export const positionsOf: Readonly<Record<PositionOrder, string>> = {
  lsn: 'a position in the log of a PostgreSQL, such as 0/16B3748',
  integer: 'a whole number from 0, of at most 38 digits',
  text: 'a text without U+0000',
}

/** Undefined if it is no position of this order. */
export const sortKeyOf = (order: PositionOrder, position: string): string | undefined =>
  sortKeys[order](position)

/** As PostgreSQL compares them (collation C). */
export const isAfter = (one: string, other: string): boolean =>
  Buffer.compare(Buffer.from(one), Buffer.from(other)) > 0

/** Of a row of sources. */
export const positionOf = (stored: Row): SourcePosition => ({
  name: stored['name'] ?? '',
  generation: Number(stored['generation']),
  position: stored['position'] ?? '',
})

export const readSource = (schema: string, name: string, lock: '' | 'for update' = ''): SqlQuery => ({
  text: `select * from ${schema}.sources where name = $1 ${lock}`,
  values: [name],
})

export const readSources = (
  reader: Reader,
  schema: string,
  names: readonly string[],
): Promise<readonly Row[]> =>
  reader.rows({
    text: `select name, position_order, generation, sort_key from ${schema}.sources where name = any($1::text[])`,
    values: [names],
  })

/** The field of a row of commits, if its batch had a source. */
export const sourceOfCommit = (commit: Row | undefined): { readonly source?: SourcePosition } =>
  commit?.['source'] == null
    ? {}
    : {
        source: {
          name: commit['source'],
          generation: Number(commit['source_generation']),
          position: commit['source_position'] ?? '',
        },
      }

/** What a state has to contain: everything that its source had committed up to a position. */
export interface AfterPosition {
  readonly schema: string
  readonly source: string
  readonly order: PositionOrder
  /** Without it, the position is one of the newest generation. */
  readonly generation: number | undefined
  readonly position: string
  readonly sortKey: string
}

/** A row of sources, for those who only compare it. */
export type StoredPosition = Row

/** A later generation begins with all that its source has, so it contains the earlier ones. */
export function contains(stored: StoredPosition, after: AfterPosition): boolean {
  if (stored['position_order'] !== after.order) return false
  const generation = Number(stored['generation'])
  if (after.generation !== undefined && generation !== after.generation) return generation > after.generation
  const sortKey = stored['sort_key'] ?? ''
  return sortKey === after.sortKey || isAfter(sortKey, after.sortKey)
}

/** The same as a condition, for the statement that reads the state. */
export function compileContains(after: AfterPosition, parameters: Parameters): string {
  const { schema, source, order, generation, sortKey } = after
  const text = (value: string) => parameters.add(value, 'text')
  const reached = `s.sort_key >= ${text(sortKey)}`
  const inGeneration =
    generation === undefined
      ? reached
      : `(s.generation > ${parameters.add(generation, 'bigint')} or (s.generation = ${parameters.add(generation, 'bigint')} and ${reached}))`
  return `exists (select from ${schema}.sources s where s.name = ${text(source)} and s.position_order = ${text(order)} and ${inGeneration})`
}

/** A state was read that does not contain the position. */
export class BehindSource extends Error {
  readonly after: AfterPosition

  constructor(after: AfterPosition) {
    super('The state is from before the position.')
    this.after = after
  }
}
