// One state of a collection in parts, for several readers: here side by side, or elsewhere with `part.save()`.
import { OctavoError } from './errors/octavo-error.ts'
import { invalidOption, isWhole, shown } from './options/check-options.ts'
import type { ObjectTypeShape } from './query/object-type-shape.ts'
import { sendRequest } from './transport/send-request.ts'
import type { Transport } from './transport/transport.ts'
import { largestPage, walkSettings, type WalkOptions } from './walk-options.ts'
import { sumOfChecksums } from './walk/content-hash.ts'
import { startOfWalk, type WalkPosition } from './walk/walk-position.ts'
import { Walk } from './walk/walk.ts'

export type SplitOptions<Type extends ObjectTypeShape, Name extends string> = Omit<
  WalkOptions<Type, Name>,
  'snapshot' | 'orderBy' | 'onSnapshotGone' | 'onContinue'
>

/** Together the parts have every object of one state exactly once, in the order of the primary key. */
export interface Split<Item> {
  /** Each is read like any other walk. When all of them have been read here, they are compared with the state. */
  readonly parts: readonly Walk<Item>[]
  readonly snapshotToken: string
  readonly version: string
  /** The number of objects of all parts; absent if they are filtered. */
  readonly totalCount?: string
  /** The checksum of all parts, where they have all objects with all their properties. */
  readonly checksum?: string
}

interface SplitAnswer extends Omit<Split<never>, 'parts'> {
  readonly data: readonly { readonly pageToken: string }[]
}

interface SplitPlace {
  readonly transport: Transport
  readonly path: string
  readonly query: object
}

const mostParts = 64

export async function splitObjects<Item>(
  { transport, path, query }: SplitPlace,
  count: number,
  options: SplitOptions<ObjectTypeShape, string>,
): Promise<Split<Item>> {
  if (!isWhole(count) || count < 1 || count > mostParts) {
    const sentence = `parts() takes the number of parts, 1 to ${mostParts}, but got ${shown(count)}.`
    throw invalidOption('parts', sentence)
  }
  const { select, snapshotToken, signal, pageSize = largestPage } = options
  const asked = { query, ...(select !== undefined && { select }) }
  const request = { path: `${path}/parts`, body: { ...asked, parts: count, snapshotToken } }
  const { data, ...state } = (await sendRequest(transport, request, [signal])) as SplitAnswer
  const body = { ...asked, pageSize, snapshot: true, snapshotToken: state.snapshotToken }
  const read = { kind: 'search', path: `${path}/search`, snapshot: true, nullEnds: false, body } as const
  const ended: WalkPosition[] = []
  const parts = data.map(({ pageToken }, i) => {
    const endsAt = (position: WalkPosition): void => {
      ended[i] = position
      if (Object.keys(ended).length === data.length) checkAll(state, ended)
    }
    const position = { ...startOfWalk, pageToken }
    return new Walk<Item>(transport, read, { ...walkSettings(options), endsAt }, { position, rest: [] })
  })
  return { ...state, parts }
}

/** Whether the parts, all of them read to their ends, have the objects of the state. */
function checkAll({ totalCount, checksum }: Omit<SplitAnswer, 'data'>, ended: readonly WalkPosition[]): void {
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
    sentence: `The ${received} objects of all parts are not those of their state, which has ${totalCount}. Something between this client and the service changed, lost or repeated an object. Split the collection again.`,
  })
}
