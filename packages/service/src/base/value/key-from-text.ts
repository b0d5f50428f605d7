import type { ScalarType } from '@octavo/protocol'
import { canonicalScalar } from './canonical-scalar.ts'
import { valueFromText } from './value-from-text.ts'

/** A primary key as it stands in a path; nothing for a text that no key of the type has. */
export function keyFromText(scalar: ScalarType, text: string): string | undefined {
  const key = canonicalScalar(scalar, valueFromText(scalar, text))
  return 'problem' in key ? undefined : key.column
}
