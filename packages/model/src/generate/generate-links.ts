// Random object types that are linked with one another and with themselves, by one key or by an array of them.
import {
  exceededQueryLimit,
  type LinkedQuery,
  type ObjectTypeDefinition,
  type PolicyQuery,
  type Query,
} from '@octavo/protocol'
import {
  generateAllowedQuery,
  generateCaller,
  generatePolicy,
  type GeneratedPolicy,
} from './generate-policy.ts'
import type { ModelLink } from '../contract/linked-objects.ts'
import type { Properties } from '../contract/model-type.ts'
import type { ModelCaller } from '../contract/visible-objects.ts'
import { generateObject, generatedKey } from './generate-objects.ts'
import { generateType, type GeneratedType } from './generate-type.ts'
import type { Random } from './seeded-random.ts'

export interface LinkedType {
  readonly generated: GeneratedType
  readonly policy: GeneratedPolicy | undefined
  readonly links: readonly ModelLink[]
}

/** The types in an order in which they can be applied. */
export function generateLinkedTypes(random: Random, prefix: string): readonly LinkedType[] {
  const plain = ['a', 'b', 'c'].map((name) => generateType(random, `${prefix}.${name}`))
  const declared: { from: number; to: number; property: string; name: string; reverse: string }[] = []
  plain.forEach((_type, from) => {
    for (let number = random.integer(1, 2); number > 0; number -= 1) {
      const to = random.integer(0, from)
      const place = `${from}${to}${number}`
      declared.push({ from, to, property: `keys${place}`, name: `link${place}`, reverse: `back${place}` })
    }
  })
  return plain.map((type, i) => {
    const own = declared.filter(({ from }) => from === i)
    const nameOf = (number: number) => plain[number]?.definition.apiName ?? ''
    const keyType = (number: number) => plain[number]?.definition.properties['id']?.type
    const policy = random.chance(0.5) ? withOwnClaims(generatePolicy(random, type), `t${i}`) : undefined
    const definition = {
      ...type.definition,
      properties: {
        ...type.definition.properties,
        ...Object.fromEntries(
          own.map(({ property, to }) => [
            property,
            {
              type: random.chance(0.4) ? { array: keyType(to) } : keyType(to),
              searchable: true,
            },
          ]),
        ),
      },
      links: Object.fromEntries(
        own.map(({ name, to, property, reverse }) => [
          name,
          { objectType: nameOf(to), foreignKeyProperty: property, reverse },
        ]),
      ),
      ...(policy && { policy: policy.policy }),
    } as ObjectTypeDefinition
    return {
      generated: { ...type, definition },
      policy,
      links: [
        ...own.map(({ name, reverse, to, property }) => ({
          name,
          reverse,
          to: nameOf(to),
          property,
          isHeld: true,
        })),
        ...declared
          .filter(({ to }) => to === i)
          .map(({ name, reverse, from, property }) => ({
            name: reverse,
            reverse: name,
            to: nameOf(from),
            property,
            isHeld: false,
          })),
      ],
    }
  })
}

/** Claims whose names no other policy uses. */
function withOwnClaims({ policy, needed, claims }: GeneratedPolicy, prefix: string): GeneratedPolicy {
  return {
    policy: JSON.parse(JSON.stringify(policy).replaceAll('{"claim":"', `{"claim":"${prefix}`)) as PolicyQuery,
    needed: needed.map((claim) => ({ ...claim, name: prefix + claim.name })),
    claims: Object.fromEntries(Object.entries(claims).map(([name, value]) => [prefix + name, value])),
  }
}

/** A caller of all types, and for each type whether its claims fit. */
export function generateCallerOf(
  random: Random,
  types: readonly LinkedType[],
): ReadonlyMap<LinkedType, ModelCaller> {
  const callers = types.map(({ policy }) => (policy ? generateCaller(random, policy) : undefined))
  const claims = Object.assign({}, ...callers.map((caller) => caller?.claims ?? {})) as Properties
  return new Map(types.map((type, i) => [type, { claims, fits: callers[i]?.fits ?? true }]))
}

/** Keys of objects that exist, do not exist yet, or never will. */
export function generateLinkedObject(
  random: Random,
  types: readonly LinkedType[],
  { generated, links }: LinkedType,
  { number, edition, count }: { readonly number: number; readonly edition: number; readonly count: number },
): Properties {
  const { definition } = generated
  const object: Record<string, unknown> = { ...generateObject(random, definition, { number, edition }) }
  for (const { to, property } of links.filter(({ isHeld }) => isHeld)) {
    const target = types.find((type) => type.generated.definition.apiName === to)
    if (target === undefined) throw new Error(`no type ${to}`)
    const key = () => generatedKey(target.generated.definition, random.integer(0, Math.ceil(count * 1.2)))
    delete object[property]
    const isArray = typeof definition.properties[property]?.type === 'object'
    if (random.chance(0.8))
      object[property] = isArray ? Array.from({ length: random.integer(0, 4) }, key) : key()
  }
  return object
}

/** A query that follows at least one link, within the limits of requests. */
export function generateLinkedQuery(random: Random, types: readonly LinkedType[], type: LinkedType): Query {
  for (;;) {
    const query = anyLinkedQuery(random, types, type, 2)
    if (exceededQueryLimit(query) === undefined) return query
  }
}

function anyLinkedQuery(
  random: Random,
  types: readonly LinkedType[],
  type: LinkedType,
  levels: number,
): Query {
  const link = random.pick(type.links as readonly [ModelLink, ...ModelLink[]])
  const target = types.find(({ generated }) => generated.definition.apiName === link.to)
  if (target === undefined) throw new Error(`no type ${link.to}`)
  const inner =
    levels > 0 && target.links.length > 0 && random.chance(0.3)
      ? anyLinkedQuery(random, types, target, levels - 1)
      : random.chance(0.3)
        ? ({ type: 'empty' } as const)
        : generateAllowedQuery(random, target.generated, 1)
  const linked: LinkedQuery = { type: 'linked', link: link.name, query: inner }
  const other = () => generateAllowedQuery(random, type.generated, 1)
  const kind = random.integer(0, 9)
  if (kind === 0) return { type: 'not', value: linked }
  if (kind === 1) return { type: 'or', value: [linked, other()] }
  if (kind <= 3) return { type: 'and', value: [linked, other()] }
  return linked
}
