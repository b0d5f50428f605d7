// A batch may say where its source is before and after it. The position is stored in the transaction that commits the objects, and only
// if the source is where the batch says: so each position is applied once, in order, whatever is sent again and however many writers there are.
import type { CommitReceipt, MovedSource, PositionOrder, SourceMove, SourcePosition } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Parameters, SqlQuery } from '../../base/sql-query.ts'
import { wireTime } from '../../base/value/column-time.ts'
import { isAfter, positionOf, positionsOf, readSource, sortKeyOf } from '../../catalog/source-positions.ts'
import type { Reader, Row } from '../../postgres/database.ts'
import { batchRefused } from './batch-problem.ts'

/** A move as it was sent. */
export interface WantedMove {
  readonly schema: string
  readonly move: SourceMove
  /** The line that says it; undefined if it is in a body that is not of lines. */
  readonly line?: number | undefined
  /** Of the contents that are sent with it. */
  readonly digest: string
}

/** A move that the stored position allows. */
export interface Move extends SourcePosition {
  readonly schema: string
  readonly order: PositionOrder
  readonly sortKey: string
  readonly digest: string
  /** Where the source is before; undefined if it begins. */
  readonly from: { readonly generation: string; readonly sortKey: string } | undefined
}

/** The batch has been applied before: this was the answer. */
export class AlreadyApplied extends Error {
  readonly answer: CommitReceipt | MovedSource

  constructor(answer: CommitReceipt | MovedSource) {
    super('The source has this position already.')
    this.answer = answer
  }
}

/** Reads where the source is and decides; throws `AlreadyApplied`, or refuses the move. */
export async function requireStep(
  reader: Reader,
  wanted: WantedMove,
  lock: '' | 'for update' = '',
): Promise<Move> {
  const [stored] = await reader.rows(readSource(wanted.schema, wanted.move.name, lock))
  return stored === undefined ? firstMove(wanted) : nextMove(wanted, stored)
}

/** Refuses a move that cannot follow, before anything of its batch is read. What is decided here may change until it is committed. */
export async function refuseEarly(reader: Reader, wanted: Omit<WantedMove, 'digest'>): Promise<void> {
  const [stored] = await reader.rows(readSource(wanted.schema, wanted.move.name))
  if (stored === undefined) return void firstMove({ ...wanted, digest: '' })
  // Only the whole contents say whether it was applied before.
  if (hasPosition(stored, wanted)) return
  nextMove({ ...wanted, digest: '' }, stored)
}

function firstMove(wanted: WantedMove): Move {
  const { name, order, previousPosition } = wanted.move
  if (previousPosition != null) throw outOfStep(wanted, 'notBegun')
  if (order == null) {
    throw unfit(
      wanted,
      'order',
      order,
      `must say how the positions of ${name} follow one another: it has not begun`,
    )
  }
  return moveFrom(wanted, order, undefined)
}

function nextMove(wanted: WantedMove, stored: Row): Move {
  const { move } = wanted
  const order = stored['position_order'] as PositionOrder
  const generation = generationOf(move)
  if (hasPosition(stored, wanted)) {
    if (stored['digest'] === wanted.digest) throw new AlreadyApplied(answerOf(stored))
    throw outOfStep(wanted, 'otherContents', stored)
  }
  if (move.previousPosition == null) throw outOfStep(wanted, 'alreadyBegun', stored)
  const from = { generation: stored['generation'] ?? '', sortKey: stored['sort_key'] ?? '' }
  if (generation < Number(from.generation) || sortKeyOf(order, move.previousPosition) !== from.sortKey) {
    throw outOfStep(wanted, 'otherPosition', stored)
  }
  if (move.order != null && move.order !== order) {
    throw unfit(wanted, 'order', move.order, `must be ${order}, with which the source began`)
  }
  return moveFrom(wanted, order, from)
}

function moveFrom(wanted: WantedMove, order: PositionOrder, from: Move['from']): Move {
  const { name, position } = wanted.move
  const generation = generationOf(wanted.move)
  const sortKey = sortKeyOf(order, position)
  if (sortKey === undefined) throw unfit(wanted, 'position', position, `must be ${positionsOf[order]}`)
  // In another generation, the same numbers mean other positions.
  const isOfSame = from !== undefined && Number(from.generation) === generation
  if (isOfSame && !isAfter(sortKey, from.sortKey)) {
    throw unfit(wanted, 'position', position, 'must be after previousPosition, unless generation grows')
  }
  return { schema: wanted.schema, name, order, generation, position, sortKey, digest: wanted.digest, from }
}

const generationOf = ({ generation }: SourceMove): number => generation ?? 1

const hasPosition = (stored: Row, { move }: Pick<WantedMove, 'move'>): boolean =>
  Number(stored['generation']) === generationOf(move) &&
  sortKeyOf(stored['position_order'] as PositionOrder, move.position) === stored['sort_key']

const outOfStep = (
  { move }: Pick<WantedMove, 'move'>,
  reason: 'otherPosition' | 'otherContents' | 'alreadyBegun' | 'notBegun',
  stored?: Row,
): ServiceError =>
  new ServiceError('SourceOutOfStep', {
    source: move.name,
    reason,
    ...(stored !== undefined && { stored: positionOf(stored) }),
  })

const unfit = (
  { line }: Pick<WantedMove, 'line'>,
  property: string,
  value: unknown,
  problem: string,
): ServiceError =>
  line === undefined
    ? new ServiceError('Conjure:UnprocessableEntity', {
        path: `/source/${property}`,
        problem: `it ${problem}`,
      })
    : batchRefused([{ line, property, ...(value != null && { value }), problem }])

/** Where the source is once the move is made. */
export const sourceAfter = ({ move }: WantedMove): SourcePosition => ({
  name: move.name,
  generation: generationOf(move),
  position: move.position,
})

function answerOf(stored: Row): CommitReceipt | MovedSource {
  const moved = {
    source: positionOf(stored),
    committedAt: wireTime(stored['moved_at'] ?? ''),
    replayed: true,
  }
  if (stored['version'] == null) return moved
  const count = (name: string) => Number(stored[name])
  return {
    version: stored['version'],
    created: count('created'),
    updated: count('updated'),
    deleted: count('deleted'),
    unchanged: count('unchanged'),
    ...moved,
  }
}

/** Locks the sources of several commits, always in the same order. */
export const lockSources = (schema: string, names: readonly string[]): SqlQuery => ({
  text: `select name, generation, sort_key from ${schema}.sources where name = any($1::text[]) order by name for update`,
  values: [names],
})

/** Whether the source is where the move begins; the statement before has locked its row. */
export function compileInStep({ schema, name, from }: Move, parameters: Parameters): string {
  const named = `select from ${schema}.sources s where s.name = ${parameters.add(name, 'text')}`
  return from === undefined
    ? `not exists (${named})`
    : `exists (${named} and s.generation = ${parameters.add(from.generation, 'bigint')} and s.sort_key = ${parameters.add(from.sortKey, 'text')})`
}

/** The same for a row that `lockSources` has returned. */
export const isInStep = ({ from }: Move, locked: Row | undefined): boolean =>
  from === undefined
    ? locked === undefined
    : locked?.['generation'] === from.generation && locked['sort_key'] === from.sortKey

/** What is stored with a position, each as an expression. */
export interface MoveFacts {
  readonly from: string
  readonly movedAt: string
  readonly version: string
  readonly counts: Readonly<Record<'created' | 'updated' | 'deleted' | 'unchanged', string>>
}

/** Stores the position. Two moves that begin the same source at once violate its key. */
export function compileMove(move: Move, facts: MoveFacts, parameters: Parameters): string {
  const text = (value: string) => parameters.add(value, 'text')
  const stored: Readonly<Record<string, string>> = {
    generation: parameters.add(move.generation, 'bigint'),
    position: text(move.position),
    sort_key: text(move.sortKey),
    digest: text(move.digest),
    moved_at: facts.movedAt,
    version: facts.version,
    ...facts.counts,
  }
  const { schema, name, order, from } = move
  if (from === undefined) {
    return `insert into ${schema}.sources (name, position_order, ${Object.keys(stored).join(', ')})
select ${[text(name), text(order), ...Object.values(stored)].join(', ')} from ${facts.from}`
  }
  return `update ${schema}.sources set ${Object.entries(stored)
    .map(([column, value]) => `${column} = ${value}`)
    .join(', ')} from ${facts.from} where name = ${text(name)}`
}
