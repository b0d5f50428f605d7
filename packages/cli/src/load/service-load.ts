// A large file goes into an empty type as one load of the service: its batches are parts that nobody sees, and the service builds
// the indexes once all are there. Any other file is sent as batches, each of which is applied at once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommitReceipt, Load } from '@octavo/protocol'
import { headers } from '@octavo/protocol/vocabulary'
import type { Connection } from '../connection/connection.ts'
import { retrying } from '../connection/retrying.ts'
import { ServiceRefused } from '../connection/service-errors.ts'
import { countingPauses } from './counting-pauses.ts'
import { loadFile, type LoadPlan, type LoadWatch } from './load-file.ts'
import type { LoadState } from './load-state.ts'
import type { BatchTarget } from './send-batch.ts'

/** Below this size a file is loaded as quickly by batches, and its first objects can be seen sooner. */
const largeBytes = 8 * 1024 * 1024
const largeBatches = 4

export const isLarge = (size: number | undefined, batchBytes: number): boolean =>
  size !== undefined && size >= largeBytes && size > largeBatches * batchBytes

export interface WantedLoad {
  readonly objectType: string
  readonly replace: boolean
  /** A load that is begun again with the same key is the same load. */
  readonly key: string
}

/** Undefined if the service takes no loads. */
export async function beginServiceLoad(
  connection: Connection,
  loadsPath: string,
  { objectType, replace, key }: WantedLoad,
): Promise<string | undefined> {
  try {
    const { loadId } = await connection.json<Load>({
      method: 'POST',
      path: loadsPath,
      headers: { [headers.idempotencyKey]: key },
      json: { objectTypes: [objectType], replace },
    })
    return loadId
  } catch (error) {
    if (error instanceof ServiceRefused && withoutLoads.has(error.errorName)) return undefined
    throw error
  }
}

/** The answers of a cluster, and where many loads are under way. */
const withoutLoads: ReadonlySet<string> = new Set(['LoadsNotSupported', 'TooManyLoads'])

export interface WholeWatch extends LoadWatch {
  /** Called with what the service does once it has all parts. */
  readonly onPhase: (text: string) => void
}

export interface WholePlan extends LoadPlan {
  readonly loadsPath: string
  /** The id that the service gave the load. */
  readonly load: string
  /** The most objects that a load with --replace may delete, as the user wrote it. */
  readonly maxDeletions?: string | undefined
}

/** Returns the final state. If it throws, the saved state can be resumed, unless the service has given up the load. */
export async function loadAsWhole(plan: WholePlan, watch: WholeWatch): Promise<WholeLoad> {
  const path = `${plan.loadsPath}/${plan.load}`
  const partsPath = `${path}/objectTypes/${encodeURIComponent(plan.definition.apiName)}/parts`
  const target = { ...plan.target, path: partsPath, asParts: true } as const
  const sent = await loadFile({ ...plan, target }, watch)
  if (sent.counts.records === 0) {
    await giveUpServiceLoad(plan.target.connection, path)
    return { state: sent, receipt: undefined }
  }
  const receipt = await finish(path, plan, watch)
  return {
    receipt,
    state: {
      ...sent,
      counts: {
        ...sent.counts,
        created: receipt.created,
        updated: receipt.updated,
        unchanged: receipt.unchanged,
      },
      version: receipt.version,
      milliseconds: plan.state.milliseconds + watch.elapsedMs(),
    },
  }
}

export interface WholeLoad {
  readonly state: LoadState
  /** Undefined if there was no record to send. */
  readonly receipt: CommitReceipt | undefined
}

export async function giveUpServiceLoad(connection: Connection, path: string): Promise<void> {
  // If this fails, the service gives it up by itself.
  await connection.json({ method: 'DELETE', path, retrySeconds: 0 }).catch(() => {})
}

/** Asks again after a lost connection: the service has kept working, and answers with the same receipt. */
async function finish(
  path: string,
  { target, maxDeletions }: WholePlan,
  { waiting, onPhase }: WholeWatch,
): Promise<CommitReceipt> {
  const done = new AbortController()
  const watching = watchPhase(target, path, { onPhase, done: done.signal })
  const { connection, retrySeconds: seconds, stopAsked: signal } = target
  const retries = { seconds, signal, times: countingPauses(), ...(waiting && { onPause: waiting.onPause }) }
  try {
    return await retrying(retries, () => {
      waiting?.end()
      return connection.json<CommitReceipt>({
        method: 'POST',
        path: `${path}/finish`,
        json: { maxDeletions: maxDeletions === undefined ? undefined : deletionLimit(maxDeletions) },
        retrySeconds: 0,
      })
    })
  } finally {
    done.abort()
    await watching
  }
}

/** A number of objects is a number on the wire, and a percentage is a text. */
const deletionLimit = (text: string): number | string => (text.endsWith('%') ? text : Number(text))

const askAgainMs = 1_000

async function watchPhase(
  { connection }: Pick<BatchTarget, 'connection'>,
  path: string,
  { onPhase, done }: Pick<WholeWatch, 'onPhase'> & { readonly done: AbortSignal },
): Promise<void> {
  onPhase('all sent, the service is preparing indexes')
  while (!done.aborted) {
    const load = await connection
      .json<Load>({ path, retrySeconds: 0, signal: done })
      // Its message is only shown: whether the load can be finished is the answer to another request.
      .catch(() => undefined)
    if (load !== undefined) onPhase(phaseText(load))
    await sleep(askAgainMs, undefined, { signal: done }).catch(() => {})
  }
}

function phaseText({ phase, indexCount, builtIndexCount }: Load): string {
  if (phase === 'indexing') {
    return `all sent, index ${Math.min(builtIndexCount + 1, indexCount)} of ${indexCount} is being built`
  }
  return 'all sent, the service is applying it'
}
