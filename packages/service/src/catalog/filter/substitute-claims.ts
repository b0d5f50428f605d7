import type { Claim, PolicyQuery, Query, ScalarValue } from '@octavo/protocol'
import { isCondition, limits } from '@octavo/protocol'

/** The value of a claim; undefined when the caller does not have it. */
export type ClaimValue = (name: string) => unknown

/**
 * The policy as a query for one caller. Undefined when a claim that it needs is missing or cannot be a value: a condition that
 * is merely false would become true under `not` (P145).
 */
export function substituteClaims(policy: PolicyQuery, valueOf: ClaimValue): Query | undefined {
  if (isCondition(policy, 'scalar')) {
    const value = scalarOf(policy.value, valueOf)
    return value === undefined ? undefined : { ...policy, value }
  }
  if (isCondition(policy, 'list')) {
    const value = listOf(policy.value, valueOf)
    return value === undefined ? undefined : { ...policy, value }
  }
  switch (policy.type) {
    case 'and':
    case 'or': {
      const parts = allDefined(policy.value.map((part) => substituteClaims(part, valueOf)))
      return parts === undefined ? undefined : { type: policy.type, value: parts }
    }
    case 'not': {
      const part = substituteClaims(policy.value, valueOf)
      return part === undefined ? undefined : { type: 'not', value: part }
    }
    default:
      return policy
  }
}

function scalarOf(value: ScalarValue | Claim, valueOf: ClaimValue): ScalarValue | undefined {
  const held = typeof value === 'object' ? valueOf(value.claim) : value
  return isScalar(held) ? held : undefined
}

function listOf(
  value: readonly (ScalarValue | Claim)[] | Claim,
  valueOf: ClaimValue,
): readonly ScalarValue[] | undefined {
  if (!('claim' in value)) return allDefined(value.map((one) => scalarOf(one, valueOf)))
  const held = valueOf(value.claim)
  // Identity providers send a list of one as a single value.
  const list: readonly unknown[] = Array.isArray(held) ? held : [held]
  return list.length <= limits.query.inValues && list.every(isScalar) ? list : undefined
}

const isScalar = (value: unknown): value is ScalarValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function allDefined<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  const defined = values.filter((value) => value !== undefined)
  return defined.length === values.length ? defined : undefined
}
