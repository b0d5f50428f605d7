import { OctavoError } from '../errors/octavo-error.ts'
import { sendRequest } from '../transport/send-request.ts'
import type { Signals, Transport } from '../transport/transport.ts'
import { checkChanges } from './check-changes.ts'
import { afterToken, checkPage, type Page } from './check-page.ts'
import type { EarlyAnswer } from './early-answer.ts'
import type { WalkPosition } from './walk-position.ts'
import { pageRequest, type WalkRequest } from './walk-request.ts'

export interface ReadPage<Item> {
  readonly page: Page<Item>
  readonly next: WalkPosition
}

export interface PageWanted {
  readonly at: WalkPosition
  readonly signals: Signals
  /** Requested with a guessed token; usable if its token is that of the position. */
  readonly early?: EarlyAnswer | undefined
  readonly arrived?: (bytes: ArrayBuffer) => void
}

export async function readPage<Item>(
  transport: Transport,
  walk: WalkRequest,
  { at, signals, early, arrived }: PageWanted,
): Promise<ReadPage<Item>> {
  let from = at
  for (;;) {
    try {
      const request = { ...pageRequest(walk, from.pageToken), ...(arrived && { arrived }) }
      const isEarly = early !== undefined && early.pageToken === from.pageToken
      const body = await (isEarly ? early.body : sendRequest(transport, request, signals))
      const check = walk.kind === 'search' && walk.changes ? checkChanges : checkPage
      return { next: check(walk, from, body), page: body as Page<Item> }
    } catch (error) {
      // A search that has found nothing yet says where to continue (P101). The token advances each time, so this loop ends.
      if (!(error instanceof OctavoError) || error.errorName !== 'ScanTimedOut') throw error
      const { pageToken } = error.parameters
      if (pageToken === undefined) throw error
      from = afterToken(walk, from, pageToken)
    }
  }
}
