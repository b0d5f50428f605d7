// Random policies: a query in which claims replace some of the values.
import {
  exceededQueryLimit,
  type Claim,
  type PolicyQuery,
  type Query,
  type ScalarType,
} from '@octavo/protocol'
import type { ModelCaller } from '../contract/visible-objects.ts'
import { generateQuery } from './generate-query.ts'
import type { GeneratedType } from './generate-type.ts'
import type { Random } from './seeded-random.ts'
import { anyValue, type Scalar } from './value-pools.ts'

/** A claim that a policy needs, and what type fits. */
interface NeededClaim {
  readonly name: string
  readonly scalar: ScalarType
  readonly list: boolean
}

export interface GeneratedPolicy {
  readonly policy: PolicyQuery
  readonly needed: readonly NeededClaim[]
  /** The values that the claims replaced. */
  readonly claims: Readonly<Record<string, Scalar | readonly Scalar[]>>
}

/** Like `generateQuery`, but within the limits of requests. */
export function generateAllowedQuery(random: Random, type: GeneratedType, levels: number): Query {
  for (;;) {
    const query = generateQuery(random, type, levels)
    if (exceededQueryLimit(query) === undefined) return query
  }
}

export function generatePolicy(random: Random, type: GeneratedType): GeneratedPolicy {
  const needed: NeededClaim[] = []
  const claims: Record<string, Scalar | readonly Scalar[]> = {}
  const claim = (field: string, value: Scalar | readonly Scalar[]): Claim => {
    const name = `c${needed.length}`
    needed.push({ name, scalar: scalarOf(type, field), list: Array.isArray(value) })
    claims[name] = value
    return { claim: name }
  }
  const withClaims = (query: Query): PolicyQuery => {
    switch (query.type) {
      case 'eq':
      case 'lt':
      case 'lte':
      case 'gt':
      case 'gte':
      case 'contains':
        return random.chance(0.7) ? { ...query, value: claim(query.field, query.value) } : query
      case 'in':
        return random.chance(0.5)
          ? { ...query, value: claim(query.field, query.value) }
          : {
              ...query,
              value: query.value.map((one) => (random.chance(0.5) ? claim(query.field, one) : one)),
            }
      case 'and':
      case 'or':
        return { ...query, value: query.value.map(withClaims) }
      case 'not':
        return { ...query, value: withClaims(query.value) }
      case 'linked':
        throw new Error('a policy follows no links')
      default:
        return query
    }
  }
  return { policy: withClaims(generateAllowedQuery(random, type, 3)), needed, claims }
}

function scalarOf({ fields }: GeneratedType, text: string): ScalarType {
  const [name = '', component] = text.replace(/^properties\./, '').split(':')
  const field = fields.find((one) => one.property === name && one.component === component)
  if (field === undefined) throw new Error(`${text} is no field`)
  return field.scalar
}

const noScalars = [null, {}, [], [['a']], { claim: 'c0' }] as const
const noLists = [null, {}, [null], [['a']], [{ claim: 'c0' }]] as const

export function generateCaller(random: Random, { needed, claims }: GeneratedPolicy): ModelCaller {
  const kind = random.integer(0, 3)
  const spoilt = needed[random.integer(0, needed.length - 1)]
  if (kind === 0 || spoilt === undefined) return { claims: { ...claims, unused: 'x' }, fits: true }
  if (kind === 1) {
    return {
      claims: Object.fromEntries(
        needed.map(({ name, scalar, list }) => [
          name,
          list && random.chance(0.8)
            ? Array.from({ length: random.integer(0, 4) }, () => anyValue(random, scalar))
            : anyValue(random, scalar),
        ]),
      ),
      fits: true,
    }
  }
  const { [spoilt.name]: _missing, ...others } = claims
  if (kind === 2) return { claims: others, fits: false }
  const unfit = random.chance(0.5) ? unfitValue(spoilt) : random.pick(spoilt.list ? noLists : noScalars)
  return { claims: { ...others, [spoilt.name]: unfit }, fits: false }
}

/** A value of a scalar type that the property does not have. */
const unfitValue = ({ scalar, list }: NeededClaim): unknown => {
  const value = scalar === 'boolean' ? 'true' : scalar === 'string' ? 1.5 : true
  return list ? [value] : value
}
