import { hash } from 'node:crypto'
import { everything } from '../../catalog/filter/filter.ts'
import { policyFilter, type Claims } from '../../catalog/filter/policy-filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'

export const viewBytes = 8

/**
 * A fingerprint of which objects a caller may read; undefined for all. A state that was read with another view is not the one that
 * changes are told from (P275).
 */
export function viewOf(type: ObjectType, claims: Claims): string | undefined {
  const policy = policyFilter(type, claims)
  if (policy === everything) return undefined
  return hash('sha256', JSON.stringify(policy), 'hex').slice(0, 2 * viewBytes)
}
