import type { ScalarType } from '@octavo/protocol'
import { canonicalScalar } from './canonical-scalar.ts'

const integer = /^-?(0|[1-9][0-9]{0,9})$/

/** A primary key as it stands in a path or a query string; nothing for a text that no key of the type has. */
export function keyFromText(scalar: ScalarType, text: string): string | undefined {
  const value = scalar === 'integer' && integer.test(text) ? Number(text) : text
  const key = canonicalScalar(scalar, value)
  return 'problem' in key ? undefined : key.column
}
