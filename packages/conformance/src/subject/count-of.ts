// Asks for a count, and checks what must be true of every one. In revision 1.0 every page has it.
import { countSchema } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { countRequest, pageRequest, type PageAsk } from './page-request.ts'
import type { Subject } from './subject.ts'
import { isMissing } from './take-snapshot.ts'

export interface Counted {
  readonly total: number
  readonly isBound: boolean
  readonly version: string
  readonly exchange: Exchange
}

const shape = Compile(countSchema)

export async function countOf(
  { collection, send }: Subject,
  ask: Pick<PageAsk, 'filter' | 'snapshotToken'> = {},
): Promise<Counted> {
  const request =
    collection.revision === '1.0'
      ? pageRequest(collection, { ...ask, pageSize: 1 })
      : countRequest(collection, ask)
  const exchange = await send(request)
  const { status, body } = exchange
  demand(status === 200, {
    clause: 'P245',
    expected: `200 and the number of objects${isMissing(exchange) ? ': every server has this endpoint' : ''}`,
    exchange,
  })
  demand(shape.Check(body), {
    clause: 'P245',
    expected: 'totalCount and version as strings of digits',
    exchange,
  })
  const { totalCount, totalCountIsLowerBound, version } = body
  return {
    total: Number(totalCount),
    isBound: totalCountIsLowerBound === true,
    version,
    exchange,
  }
}

export function demandCount(counted: Counted, number: number, version: unknown): void {
  const { total, isBound, version: found, exchange } = counted
  demand(total === number && !isBound && found === version, {
    clause: 'P245',
    expected: `totalCount "${number}" and version ${shown(version)}`,
    found: `${total}${isBound ? ' or more' : ''} in version ${found}`,
    exchange,
  })
}

/** Skips the case if the server has no counts at all, which the first case of P245 reports. */
export async function requireCount({ collection, send }: Subject): Promise<void> {
  if (collection.revision === '1.0') return
  const exchange = await send(countRequest(collection, {}))
  if (isMissing(exchange)) skip(`needs counts: the server does not know POST ${exchange.sent.path}`)
}
