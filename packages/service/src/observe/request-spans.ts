// A request and its stages as spans. Everything is known once the answer has been sent, so all spans are made then.
import type { Observation } from './observation.ts'
import type { StageTimes } from './stage-timer.ts'

type Of<Kind extends Observation['kind']> = Extract<Observation, { readonly kind: Kind }>

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: 'server' | 'internal'
  /** Milliseconds since 1970, with fractions. */
  readonly begin: number
  readonly end: number
  readonly failed: boolean
  readonly attributes: Readonly<Record<string, string | number>>
}

/** What was observed of a request before it ended. */
export interface Heard {
  readonly page?: Of<'page-served'>
  readonly pageAt?: number
  readonly error?: Of<'request-refused' | 'request-failed'>
}

interface Moment {
  readonly now: number
  readonly newId: (digits: 16 | 32) => string
}

export function requestSpans(
  request: Of<'request-served'>,
  { page, pageAt = 0, error }: Heard,
  { now, newId }: Moment,
): readonly Span[] {
  const [, parentTrace, parentSpan, flags = '01'] = request.traceparent?.split('-') ?? []
  // The client that started the trace has decided not to sample it.
  if ((Number.parseInt(flags, 16) & 1) === 0) return []
  const traceId = parentTrace ?? newId(32)
  const whole: Span = {
    traceId,
    spanId: newId(16),
    parentSpanId: parentSpan,
    name: `${request.method} ${request.route}`,
    kind: 'server',
    begin: now - request.seconds * 1_000,
    end: now,
    failed: request.status >= 500,
    attributes: {
      'http.request.method': request.method,
      'http.route': request.route,
      'http.response.status_code': request.status,
      'octavo.request_id': request.requestId,
      ...(page && {
        'octavo.walk_id': page.walkId,
        'octavo.mode': page.mode,
        'octavo.objects': page.objects,
        'octavo.bytes': page.bytes,
      }),
      ...(error && { 'error.type': error.errorName, 'octavo.error_instance_id': error.errorInstanceId }),
    },
  }
  return [whole, ...stageSpans(whole, page?.stages ?? new Map(), { pageAt, newId })]
}

/** Stages follow each other, and the last one ended when the page was served, so their times follow from their durations. */
function stageSpans(
  { traceId, spanId }: Span,
  stages: StageTimes,
  { pageAt, newId }: { readonly pageAt: number; readonly newId: Moment['newId'] },
): readonly Span[] {
  let begin = pageAt - [...stages.values()].reduce((sum, milliseconds) => sum + milliseconds, 0)
  return [...stages].map(([name, milliseconds]) => {
    const end = begin + milliseconds
    const span: Span = {
      traceId,
      spanId: newId(16),
      parentSpanId: spanId,
      name,
      kind: 'internal',
      begin,
      end,
      failed: false,
      attributes: {},
    }
    begin = end
    return span
  })
}
