// Whether a request prefers lines to JSON, from its header `Accept` (RFC 9110, section 12.5.1; P260).
import { mediaTypes } from '@octavo/protocol'

/** Only who asks for lines gets them: whoever accepts anything gets JSON, as before there were streams. */
export function wantsStream(header: string | undefined): boolean {
  if (header === undefined || header === mediaTypes.json || header === '*/*') return false
  const weights = weightsIn(header)
  return weightOf(mediaTypes.ndjson, weights) > weightOf(mediaTypes.json, weights)
}

/** The most specific range that has the type decides. */
const weightOf = (type: string, weights: ReadonlyMap<string, number>): number =>
  weights.get(type) ?? weights.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? weights.get('*/*') ?? 0

/** A weight that is none counts as 0: then the type is not sent. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const member of header.toLowerCase().split(',')) {
    const [range = '', ...parameters] = member.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    weights.set(range, /^[01](\.\d{0,3})?$/.test(weight) ? Math.min(Number(weight), 1) : 0)
  }
  return weights
}
