import type { ObjectTypeDefinition, PropertyType } from '@octavo/protocol'
import type { Properties } from '../contract/model-type.ts'
import type { Random } from './seeded-random.ts'
import { anyValue, type Scalar } from './value-pools.ts'

/** The key of the object with this number: unique for every number, in no simple order. */
export function generatedKey(definition: ObjectTypeDefinition, number: number): Scalar {
  const mixed = (number * 7919) % 100_003
  const day = new Date(Date.UTC(1800, 0, 1) + mixed * 86_400_000).toISOString().slice(0, 10)
  switch (definition.properties[definition.primaryKey]?.type) {
    case 'integer':
      return mixed - 50_000
    case 'long':
      return String(9_007_199_254_740_000n + BigInt(mixed))
    case 'date':
      return day
    case 'timestamp':
      return mixed % 2 === 0 ? `${day}T00:00:00Z` : `${day}T00:00:00.000001Z`
    default:
      return `${['k', 'K', '😀', '\uff5e', "o'k "][number % 5]}${mixed}`
  }
}

export function generateObject(
  random: Random,
  definition: ObjectTypeDefinition,
  { number, edition }: { readonly number: number; readonly edition: number },
): Properties {
  return {
    id: generatedKey(definition, number),
    edition,
    ...generateProperties(random, definition, { without: ['id', 'edition'] }),
  }
}

/** Few values for each property, so that there are ties; many properties without a value. */
export function generateProperties(
  random: Random,
  { properties, orders = [] }: ObjectTypeDefinition,
  { without, huge = true }: { readonly without: readonly string[]; readonly huge?: boolean },
): Properties {
  const ordered = new Set(orders.flatMap(({ fields }) => fields.map(({ field }) => field)))
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { type, sortable, required }]) => {
      if (without.includes(name) || (required !== true && random.chance(0.25))) return []
      const isOrdered = sortable === true || ordered.has(name)
      return [[name, anyProperty(random, type, huge && !isOrdered)]]
    }),
  )
}

function anyProperty(random: Random, type: PropertyType, huge: boolean): unknown {
  if (typeof type === 'string') return anyValue(random, type, { huge })
  if ('array' in type) {
    const item = type.array
    return Array.from({ length: random.integer(0, 3) }, () => anyProperty(random, item, false))
  }
  const parts = Object.entries(type.struct).filter(() => random.chance(0.75))
  return Object.fromEntries(parts.map(([name, part]) => [name, anyValue(random, part.type, { huge })]))
}
