// One state of a collection in partitions, for several readers: here side by side, or elsewhere with `partition.save()`.
import { afterFields, waitOf } from './after-position.ts'
import { OctavoError } from './errors/octavo-error.ts'
import { invalidOption, isWhole, shown } from './options/check-options.ts'
import type { ObjectTypeShape } from './query/object-type-shape.ts'
import { sendRequest } from './transport/send-request.ts'
import type { Transport } from './transport/transport.ts'
import { largestPage, walkSettings, type WalkOptions } from './walk-options.ts'
import { sumOfChecksums } from './walk/content-hash.ts'
import { startOfWalk, type WalkPosition } from './walk/walk-position.ts'
import { Walk } from './walk/walk.ts'

export type PartitionOptions<Type extends ObjectTypeShape, Name extends string> = Omit<
  WalkOptions<Type, Name>,
  'snapshot' | 'orderBy' | 'onSnapshotGone' | 'onContinue'
>

/** Together the partitions have every object of one state exactly once, in the order of the primary key. */
export interface Partitions<Item> {
  /** Each is read like any other walk. When all of them have been read here, they are compared with the state. */
  readonly partitions: readonly Walk<Item>[]
  readonly snapshotToken: string
  readonly version: string
  /** The number of objects of all partitions; absent if they are filtered. */
  readonly totalCount?: string
  /** The checksum of all partitions, where they have all objects with all their properties. */
  readonly checksum?: string
}

interface PartitionsAnswer extends Omit<Partitions<never>, 'partitions'> {
  readonly data: readonly { readonly pageToken: string }[]
}

interface PartitionTarget {
  readonly transport: Transport
  readonly path: string
  readonly query: object
}

const mostPartitions = 64

export async function partitionObjects<Item>(
  { transport, path, query }: PartitionTarget,
  count: number,
  options: PartitionOptions<ObjectTypeShape, string>,
): Promise<Partitions<Item>> {
  if (!isWhole(count) || count < 1 || count > mostPartitions) {
    const sentence = `partitions() takes the number of partitions, 1 to ${mostPartitions}, but got ${shown(count)}.`
    throw invalidOption('partitions', sentence)
  }
  const { select, snapshotToken, signal, after, pageSize = largestPage } = options
  const asked = { query, ...(select !== undefined && { select }) }
  const body = { ...asked, partitionCount: count, snapshotToken, ...afterFields(after) }
  const request = { path: `${path}/partitions`, body, ...waitOf(after) }
  const { data, ...state } = (await sendRequest(transport, request, [signal])) as PartitionsAnswer
  const search = { ...asked, pageSize, snapshot: true, snapshotToken: state.snapshotToken }
  const read = {
    kind: 'search',
    path: `${path}/search`,
    snapshot: true,
    nullEnds: false,
    body: search,
  } as const
  const ended: WalkPosition[] = []
  const partitions = data.map(({ pageToken }, i) => {
    const endsAt = (position: WalkPosition): void => {
      ended[i] = position
      if (Object.keys(ended).length === data.length) checkAll(state, ended)
    }
    const position = { ...startOfWalk, pageToken }
    return new Walk<Item>(transport, read, { ...walkSettings(options), endsAt }, { position, rest: [] })
  })
  return { ...state, partitions }
}

/** Whether the partitions, all of them read to their ends, have the objects of the state. */
function checkAll(
  { totalCount, checksum }: Omit<PartitionsAnswer, 'data'>,
  ended: readonly WalkPosition[],
): void {
  const received = ended.reduce((sum, { objects }) => sum + objects, 0)
  const sum = sumOfChecksums(ended.map((position) => position.checksum))
  const isOther = checksum !== undefined && sum !== undefined && sum !== checksum
  if (!isOther && (totalCount === undefined || totalCount === String(received))) return
  throw new OctavoError({
    errorName: 'IncompleteWalk',
    parameters: {
      expected: totalCount ?? '',
      received,
      ...(isOther && { checksum: { expected: checksum, received: sum } }),
    },
    sentence: `The ${received} objects of all partitions are not those of their state, which has ${totalCount}. Something between this client and the service changed, lost or repeated an object. Partition the collection again.`,
  })
}
