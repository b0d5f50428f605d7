// What has changed in a collection since a state, through revision 2.0.
import { Difference } from './changes/difference.ts'
import {
  receivedFrom,
  receivedPage,
  wholePage,
  type DifferencePage,
  type Reached,
  type SentPage,
} from './changes/change.ts'
import { Follow } from './changes/follow.ts'
import { invalidOption, shown } from './options/check-options.ts'
import { pause } from './transport/deadline.ts'
import { retryDelay } from './transport/retry-delay.ts'
import type { Transport } from './transport/transport.ts'
import { largestPage, walkSettings, type ReadOptions } from './walk-options.ts'
import { startOfWalk } from './walk/walk-position.ts'
import { Walk } from './walk/walk.ts'

export interface ChangesOptions<Name extends string> extends ReadOptions {
  /** Return only these properties of objects, and the primary key. */
  readonly select?: readonly Name[]
  /** Changes per page. The default is 1,000, the most that Octavo sends. */
  readonly pageSize?: number
  /** Names the later state. The default is the latest one. */
  readonly toSnapshotToken?: string
  /** How long the service waits for a change if there is none yet: 0 to 30 seconds. The default is 0. */
  readonly waitSeconds?: number
}

export interface FollowOptions<Name extends string> extends Pick<
  ChangesOptions<Name>,
  'select' | 'pageSize' | 'signal'
> {
  /** The snapshot token of the state that the copy has. Without it the first difference is a whole copy. */
  readonly fromSnapshotToken?: string
  /** How long one request waits for a change: 1 to 30 seconds. The default is 20. */
  readonly waitSeconds?: number
  /**
   * What to do when it is not known what has changed since a state. The default is `fail`, with `ChangesExpired`. `restart` gives a
   * difference that is a whole copy: its `restarts` says why.
   */
  readonly onExpired?: 'restart' | 'fail'
  /** Called with the state that a difference has led to, once the difference was applied. */
  readonly onState?: (state: Reached) => void | Promise<void>
  /** How many times in a row a request is retried. The default is Infinity, whatever the client's is. */
  readonly retries?: number
}

export interface ChangesTarget {
  readonly transport: Transport
  readonly path: string
  /** Absent for all objects. */
  readonly query: object | undefined
}

export function differenceSince<Item>(
  target: ChangesTarget,
  since: string,
  options: ChangesOptions<string>,
): Difference<Item> {
  requireState('changes()', since)
  return new Difference({ pages: changesSince<Item>(target, since, options), signal: options.signal })
}

export function followFrom<Item extends { readonly primaryKey: string }>(
  { transport, ...target }: ChangesTarget,
  options: FollowOptions<string>,
): Follow<Item> {
  const { fromSnapshotToken: since, select, pageSize, waitSeconds = 20, signal, retries = Infinity } = options
  const { onExpired = 'fail', onState = () => {} } = options
  if (since !== undefined) requireState('follow()', since)
  const patient = { ...target, transport: { ...transport, retries, longestWaitSeconds: Infinity } }
  const reading: ChangesOptions<string> = {
    ...(select !== undefined && { select }),
    ...(pageSize !== undefined && { pageSize }),
    ...(signal !== undefined && { signal }),
  }
  let early = 0
  return new Follow<Item>({
    since,
    read: (state) =>
      state === undefined
        ? allObjects<Item>(patient, reading)
        : changesSince<Item>(patient, state, { ...reading, waitSeconds }),
    onExpired,
    onState,
    signal,
    // An instance that stops answers at once (P277), and so may a proxy: without a pause they would be asked all the time.
    rest: async (milliseconds) => {
      early = milliseconds < waitSeconds * 500 ? early + 1 : 0
      if (early > 0) await pause(retryDelay(early, transport), signal ? [signal] : [])
    },
  })
}

export function changesSince<Item>(
  { transport, path, query }: ChangesTarget,
  since: string,
  options: ChangesOptions<string>,
  pageToken?: string,
): AsyncIterator<DifferencePage<Item>, undefined> {
  const { select, pageSize = largestPage, toSnapshotToken, waitSeconds } = options
  const walk = new Walk<SentPage<Item>['data'][number]>(
    transport,
    {
      kind: 'search',
      path: `${path}/changes`,
      snapshot: true,
      nullEnds: false,
      changes: true,
      body: { fromSnapshotToken: since, toSnapshotToken, query, select, pageSize, waitSeconds },
      ...(waitSeconds !== undefined && { waitSeconds }),
    },
    walkSettings(options),
    { position: { ...startOfWalk, ...(pageToken !== undefined && { pageToken }) }, rest: [] },
  )
  return receivedFrom(walk.pages(), receivedPage<Item>)
}

function allObjects<Item extends { readonly primaryKey: string }>(
  { transport, path, query = { type: 'empty' } }: ChangesTarget,
  options: ChangesOptions<string>,
): AsyncIterator<DifferencePage<Item>, undefined> {
  const { select, pageSize = largestPage } = options
  const body = { query, pageSize, snapshot: true, ...(select !== undefined && { select }) }
  const request = { kind: 'search', path: `${path}/search`, snapshot: true, nullEnds: false, body } as const
  return receivedFrom(new Walk<Item>(transport, request, walkSettings(options)).pages(), wholePage<Item>)
}

function requireState(taker: string, since: unknown): void {
  if (typeof since === 'string' && since !== '') return
  const sentence = `${taker} takes the snapshotToken of the state that you have, but got ${shown(since)}. It is on the last page of a snapshot walk, and a difference that was read to its end has one.`
  throw invalidOption('fromSnapshotToken', sentence)
}
