// Takes a snapshot token, and checks what must be true of every one.
import { limits, snapshotSchema, type Snapshot } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { filterFor, spreadObjects } from './chosen-objects.ts'
import { postRequest, snapshotsPath } from './page-request.ts'
import { readPage } from './read-page.ts'
import type { Subject } from './subject.ts'
import { isObject } from './wire-page.ts'

export interface TakenSnapshot {
  readonly token: string
  /** The version of the type that the kit checks. */
  readonly version: string
  readonly versions: Snapshot['versions']
  readonly exchange: Exchange
}

/** `clause` is the clause that is broken if no snapshot can be taken. */
export async function takeSnapshot(
  subject: Subject,
  clause: string,
  objectTypes: readonly string[] = [subject.collection.objectType],
): Promise<TakenSnapshot> {
  if (subject.collection.revision === '1.0') return atEndOfWalk(subject, clause, objectTypes)
  const exchange = await subject.send(postRequest(snapshotsPath(subject.collection), { objectTypes }))
  const taken = snapshotIn(subject, clause, exchange)
  demandTypes(taken, objectTypes)
  return taken
}

/** Revision 1.0 takes no snapshots; the last page of a snapshot walk names the state that the walk has shown (P243). */
async function atEndOfWalk(
  subject: Subject,
  clause: string,
  objectTypes: readonly string[],
): Promise<TakenSnapshot> {
  const { objectType } = subject.collection
  if (objectTypes.some((name) => name !== objectType))
    skip('revision 1.0 takes no snapshots of several types')
  const filter = filterFor(subject, spreadObjects(subject, 1))
  const { page, exchange } = await readPage(subject, clause, { snapshot: true, pageSize: 1, filter })
  demandTokenText(page['snapshotToken'], exchange)
  const version = String(page['version'])
  return { token: page['snapshotToken'], version, versions: { [objectType]: version }, exchange }
}

export function demandTypes({ versions, exchange }: TakenSnapshot, objectTypes: readonly string[]): void {
  const named = Object.keys(versions).toSorted()
  demand(JSON.stringify(named) === JSON.stringify(objectTypes.toSorted()), {
    clause: 'P241',
    expected: `in versions the types ${objectTypes.join(', ')}`,
    found: named.join(', '),
    exchange,
  })
}

const shape = Compile(snapshotSchema)

export function snapshotIn({ collection }: Subject, clause: string, exchange: Exchange): TakenSnapshot {
  demand(exchange.status === 200, {
    clause,
    expected: isMissing(exchange)
      ? '200 and a snapshot token: every server has this endpoint, and without it no request can name a state'
      : '200 and a snapshot token',
    exchange,
  })
  const { body } = exchange
  demandTokenText(isObject(body) ? body['snapshotToken'] : undefined, exchange)
  demand(shape.Check(body), {
    clause: 'P241',
    expected: 'snapshotToken, the version of each type in versions, and a time in readableUntil',
    exchange,
  })
  const { snapshotToken: token, versions } = body
  return { token, version: versions[collection.objectType] ?? '', versions, exchange }
}

const tokenText = new RegExp(`^[A-Za-z0-9_-]{1,${limits.snapshotToken.characters}}$`)

export function demandTokenText(token: unknown, exchange: Exchange): asserts token is string {
  demand(typeof token === 'string' && tokenText.test(token), {
    clause: 'P242',
    expected: `a snapshot token of letters, digits, - and _, at most ${limits.snapshotToken.characters} characters`,
    found: shown(token),
    exchange,
  })
}

export const isMissing = ({ status }: Exchange): boolean => status === 404 || status === 405

/**
 * Skips the case if the server has no snapshot tokens at all. The first case of each clause fails then; the others would only
 * say the same again.
 */
export async function requireSnapshotTokens({ collection, send }: Subject): Promise<void> {
  if (collection.revision === '1.0') return
  const exchange = await send(
    postRequest(snapshotsPath(collection), { objectTypes: [collection.objectType] }),
  )
  if (isMissing(exchange)) skip(`needs snapshot tokens: the server does not know POST ${exchange.sent.path}`)
}
