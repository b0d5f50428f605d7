// One commit, retried until it is acknowledged: if an answer was lost, the idempotency key tells whether it was applied.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommitReceipt } from '@octavo/protocol'
import { testToken } from '../../../packages/service/test/support/test-access.ts'

export interface CommitTarget {
  readonly url: string
  readonly ontologyRid: string
  /** Absent for a commit over several types: each line then names its own. */
  readonly objectType?: string
  readonly fetch: typeof globalThis.fetch
  /** Called for every attempt without an acknowledgement. */
  readonly unanswered: (why: string) => void
}

const attemptMilliseconds = 15_000
const mostSeconds = 180

export async function sendCommit(
  target: CommitTarget,
  idempotencyKey: string,
  lines: readonly string[],
): Promise<CommitReceipt> {
  const type = target.objectType === undefined ? '' : `/objectTypes/${target.objectType}`
  const address = `${target.url}/manage/v1/ontologies/${target.ontologyRid}${type}/batches`
  const until = performance.now() + mostSeconds * 1_000
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await tryOnce(target.fetch, address, idempotencyKey, lines)
    if (typeof outcome !== 'string') return outcome
    target.unanswered(outcome)
    if (performance.now() > until) throw new Error(`a commit found no answer in ${mostSeconds} s: ${outcome}`)
    await sleep(Math.min(500, 20 * 2 ** attempt))
  }
}

/** The receipt, or why there is none yet. */
async function tryOnce(
  send: typeof globalThis.fetch,
  address: string,
  idempotencyKey: string,
  lines: readonly string[],
): Promise<CommitReceipt | string> {
  let response: Response
  try {
    response = await send(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${testToken}`,
        'content-type': 'application/x-ndjson',
        'idempotency-key': idempotencyKey,
      },
      body: lines.join('\n'),
      signal: AbortSignal.timeout(attemptMilliseconds),
    })
  } catch {
    return 'no answer'
  }
  const text = await response.text()
  if (response.ok) return JSON.parse(text) as CommitReceipt
  const isPassing = [408, 429].includes(response.status) || response.status >= 502
  if (!isPassing) throw new Error(`a commit was refused with ${response.status}: ${text}`)
  return String(response.status)
}
