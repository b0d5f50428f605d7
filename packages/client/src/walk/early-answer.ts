// The client requests the next page while it still checks and parses this one: that takes 2 to 3 ms for 1,000 objects, of
// the 10 ms that the service takes for them. The token found at the end of the bytes is only a guess: the early answer is
// used if the parsed page has the same token, and discarded otherwise.
import { sendRequest } from '../transport/send-request.ts'
import type { Signals, Transport } from '../transport/transport.ts'
import { pageRequest, type WalkRequest } from './walk-request.ts'

export interface EarlyAnswer {
  readonly pageToken: string
  readonly body: Promise<unknown>
  readonly drop: () => void
}

/** The longest token, plus the names around it. */
const tailBytes = 8_192 + 1_024

export function guessPageToken(bytes: ArrayBuffer): string | undefined {
  const tail = new TextDecoder('latin1').decode(bytes.slice(-tailBytes))
  const at = tail.lastIndexOf('"nextPageToken"')
  return at < 0 ? undefined : /^"nextPageToken":\s*"([\w-]+)"/.exec(tail.slice(at))?.[1]
}

export function askEarly(
  transport: Transport,
  walk: WalkRequest,
  {
    pageToken,
    signals,
    arrived,
  }: { pageToken: string; signals: Signals; arrived: (bytes: ArrayBuffer) => void },
): EarlyAnswer {
  const stop = new AbortController()
  const body = sendRequest(transport, { ...pageRequest(walk, pageToken), arrived }, [...signals, stop.signal])
  // The caller that awaits the body handles the failure; this only prevents an unhandled rejection.
  body.catch(() => {})
  return { pageToken, body, drop: () => stop.abort() }
}
