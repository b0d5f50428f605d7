// Which coding a request prefers, from its header `Accept-Encoding` (RFC 9110, section 12.5.3; P233).
import type { AnswerCoding } from '@octavo/protocol'

export interface AcceptedCoding {
  /** Undefined if the answer is best sent as it is. */
  readonly coding: AnswerCoding | undefined
  readonly refusesIdentity: boolean
}

const asItIs: AcceptedCoding = { coding: undefined, refusesIdentity: false }

/** `offered` has the coding that the service prefers first: it decides between equal weights. */
export function acceptedCoding(header: string | undefined, offered: readonly AnswerCoding[]): AcceptedCoding {
  if (header === undefined || header === '' || header === 'identity') return asItIs
  const weights = weightsIn(header)
  const ofOthers = weights.get('*')
  let best: AnswerCoding | undefined
  let greatest = 0
  for (const coding of offered) {
    const weight = weights.get(coding) ?? ofOthers ?? 0
    if (weight <= greatest) continue
    best = coding
    greatest = weight
  }
  // Identity is always acceptable unless it is refused, but preferred only where that is said.
  const ofIdentity = weights.get('identity') ?? ofOthers
  const prefersIdentity = ofIdentity !== undefined && ofIdentity > greatest
  return { coding: prefersIdentity ? undefined : best, refusesIdentity: ofIdentity === 0 }
}

/** A weight that is none counts as 0: it is safe not to compress. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const member of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    weights.set(name, /^[01](\.\d{0,3})?$/.test(weight) ? Math.min(Number(weight), 1) : 0)
  }
  return weights
}
