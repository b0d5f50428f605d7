// Splits a collection into partitions, and reads them as several readers do.
import { partitionsSchema, type Partitions } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { partitionsRequest, type PartitionsAsk } from './page-request.ts'
import { readWalk, type Walk, type WalkOptions } from './read-walk.ts'
import type { Subject } from './subject.ts'
import { demandTokenText, isMissing } from './take-snapshot.ts'
import { isObject } from './wire-page.ts'

export interface PartitionedState extends Partitions {
  readonly ask: PartitionsAsk
  readonly exchange: Exchange
}

const shape = Compile(partitionsSchema)

/** `clause` is the clause that is broken if the request is refused. */
export async function partitionObjects(
  { collection, send }: Subject,
  clause: string,
  ask: PartitionsAsk & { readonly partitionCount: number },
): Promise<PartitionedState> {
  const exchange = await send(partitionsRequest(collection, ask))
  demand(exchange.status === 200, {
    clause,
    expected: isMissing(exchange)
      ? '200 and the partitions: every server has this endpoint, and without it only one reader can read a state'
      : '200 and the partitions',
    exchange,
  })
  const { body } = exchange
  demandTokenText(isObject(body) ? body['snapshotToken'] : undefined, exchange)
  demand(shape.Check(body), {
    clause: 'P253',
    expected: 'data with a pageToken for each partition, snapshotToken, and version as a string of digits',
    exchange,
  })
  const { length } = body.data
  demand(length >= 1 && length <= ask.partitionCount, {
    clause: 'P253',
    expected: `at least one partition and at most ${ask.partitionCount}`,
    found: `${length} partitions`,
    exchange,
  })
  return { ...body, ask, exchange }
}

interface PartitionsOptions extends Pick<WalkOptions, 'clause' | 'as' | 'pageSizes'> {
  /** Called before each partition, and between the pages of a partition. */
  readonly meanwhile?: () => Promise<void>
}

/** Reads every partition to its end. The last is read first: no reader waits for another. */
export async function readPartitions(
  subject: Subject,
  { data, ask, snapshotToken, version }: PartitionedState,
  { meanwhile, ...options }: PartitionsOptions,
): Promise<readonly Walk[]> {
  const { filter, select } = ask
  const walks: Walk[] = []
  for (const { pageToken: from } of data.toReversed()) {
    await meanwhile?.()
    const walk = await readWalk(subject, {
      ...options,
      ask: { filter, select, snapshotToken },
      from,
      ...(meanwhile && { betweenPages: meanwhile }),
    })
    const other = walk.pages.find((page) => page['version'] !== version)
    demand(other === undefined, {
      clause: 'P253',
      expected: `version "${version}" on every page, the version that was split`,
      found: shown(other?.['version']),
      exchange: walk.last,
    })
    walks.unshift(walk)
  }
  return walks
}

/** The partitions one after the other, as if one reader had read them. */
export const joined = (walks: readonly Walk[], { exchange }: PartitionedState): Walk => ({
  pages: walks.flatMap(({ pages }) => pages),
  records: walks.flatMap(({ records }) => records),
  last: walks.at(-1)?.last ?? exchange,
  isFinished: walks.every(({ isFinished }) => isFinished),
})

/** Skips the case if the server has no partitions at all, which the first case of each of their clauses reports. */
export async function requirePartitions({ collection, send }: Subject): Promise<void> {
  const exchange = await send(partitionsRequest(collection, { partitionCount: 1 }))
  if (isMissing(exchange)) skip(`needs partitions: the server does not know POST ${exchange.sent.path}`)
}
