// Formats spans as OTLP/HTTP expects them in JSON. It is one shape of one message, for which the SDK would add a dozen packages.
import type { Span } from './request-spans.ts'

const kinds = { internal: 1, server: 2 } as const
const statusError = 2

export const otlpRequest = (spans: readonly Span[]): unknown => ({
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
