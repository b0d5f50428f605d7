// Sends a trace of every request to an OpenTelemetry collector. No request waits for it, and it buffers little: traces that the
// collector does not accept are dropped, and that is reported.
import type { Observation, Observe } from './observation.ts'
import { requestSpans, type Heard, type Span } from './request-spans.ts'

interface TraceSources {
  /** The collector's URL, such as http://localhost:4318. */
  readonly url: string
  /** Milliseconds since 1970, with fractions. */
  readonly now: () => number
  readonly randomHex: (digits: number) => string
  readonly observe: Observe
  readonly everySeconds?: number
}

export interface Traces {
  readonly record: Observe
  /** Sends the buffered spans, once. */
  readonly close: () => Promise<void>
}

const mostSpansWaiting = 10_000
const mostRequestsUnderWay = 10_000
const mostSecondsToSend = 5

export function traceRequests({ url, now, randomHex, observe, everySeconds = 2 }: TraceSources): Traces {
  const target = `${url.replace(/\/$/, '')}/v1/traces`
  const heard = new Map<string, Heard>()
  let waiting: Span[] = []
  let dropped = 0
  let sending: Promise<void> = Promise.resolve()

  const hear = (requestId: string, more: Heard): void => {
    const before = heard.get(requestId)
    // A request whose end is never observed would stay in the map for ever, so the map is bounded.
    if (before === undefined && heard.size >= mostRequestsUnderWay) return
    heard.set(requestId, { ...before, ...more })
  }

  const record: Observe = (observation: Observation) => {
    if (observation.kind === 'page-served') hear(observation.requestId, { page: observation, pageAt: now() })
    if (observation.kind === 'request-refused' || observation.kind === 'request-failed') {
      hear(observation.requestId, { error: observation })
    }
    if (observation.kind !== 'request-served') return
    const before = heard.get(observation.requestId) ?? {}
    heard.delete(observation.requestId)
    const spans = requestSpans(observation, before, { now: now(), newId: randomHex })
    if (waiting.length + spans.length <= mostSpansWaiting) waiting.push(...spans)
    else dropped += spans.length
  }

  const send = async (): Promise<void> => {
    const spans = waiting
    waiting = []
    let error: unknown
    try {
      if (spans.length > 0) await post(target, otlpRequest(spans))
    } catch (cause) {
      error = cause
      dropped += spans.length
    }
    if (dropped > 0) observe({ kind: 'spans-dropped', dropped, error })
    dropped = 0
  }

  const timer = setInterval(() => {
    sending = sending.then(send)
  }, everySeconds * 1_000)
  timer.unref()

  return {
    record,
    close: async () => {
      clearInterval(timer)
      await sending
      await send()
    },
  }
}

async function post(target: string, body: unknown): Promise<void> {
  const response = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(mostSecondsToSend * 1_000),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the collector answers ${response.status}`)
}

const kinds = { internal: 1, server: 2 } as const
const statusError = 2

/** Formats spans as OTLP/HTTP expects them in JSON. It is one shape of one message, for which the SDK would add a dozen packages. */
const otlpRequest = (spans: readonly Span[]): unknown => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf({ 'service.name': 'octavo' }) },
      scopeSpans: [{ scope: { name: 'octavo' }, spans: spans.map(otlpSpan) }],
    },
  ],
})

const otlpSpan = ({ kind, begin, end, failed, attributes, ...span }: Span) => ({
  ...span,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(begin),
  endTimeUnixNano: nanoseconds(end),
  attributes: attributesOf(attributes),
  ...(failed && { status: { code: statusError } }),
})

/** As text: a double cannot hold nanoseconds exactly. Our clock is exact only to microseconds. */
const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1_000)}000`

const attributesOf = (attributes: Span['attributes']) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
