import type { ScalarType } from '@octavo/protocol'
import { canonicalScalar } from './canonical-scalar.ts'
import { valueFromText } from './value-from-text.ts'

/** Reads a primary key from a path; undefined for a text that is not a key of this type. */
export function keyFromText(scalar: ScalarType, text: string): string | undefined {
  const key = canonicalScalar(scalar, valueFromText(scalar, text))
  return 'problem' in key ? undefined : key.column
}
