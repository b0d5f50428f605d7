import { baseTypeName, type DeclaredOrder, type ObjectTypeDefinition } from '@octavo/protocol'

/** One sentence for each change that stored objects could not follow. Everything else is compatible. */
export function incompatibleChanges(
  before: ObjectTypeDefinition,
  after: ObjectTypeDefinition,
): readonly string[] {
  const refused: string[] = []
  if (before.primaryKey !== after.primaryKey) {
    refused.push(
      `primaryKey cannot change from ${before.primaryKey} to ${after.primaryKey}: it is the identity of stored objects.`,
    )
  }
  for (const [name, property] of Object.entries(before.properties)) {
    const next = Object.hasOwn(after.properties, name) ? after.properties[name] : undefined
    if (next === undefined) {
      refused.push(`Property ${name} cannot be removed: stored objects would lose its values.`)
    } else if (baseTypeName(property.type) !== baseTypeName(next.type)) {
      refused.push(
        `Property ${name} cannot change from ${baseTypeName(property.type)} to ${baseTypeName(next.type)}: add a new property instead.`,
      )
    } else if (next.required && !property.required) {
      refused.push(`Property ${name} cannot become required: stored objects may have no value for it.`)
    } else if (property.type === 'string' && isOrdered(after, name) && !isOrdered(before, name)) {
      // Stored values may be longer than an index entry can hold; nothing has checked them until now.
      refused.push(
        `Property ${name} cannot become part of an order: its stored values were accepted without the length limit of ordered strings. Add a new property instead.`,
      )
    }
  }
  for (const order of after.orders ?? []) {
    const strings = order.filter(({ property }) => before.properties[property]?.type === 'string')
    const isNew = !before.orders?.some((known) => keysText(known) === keysText(order))
    // Each value alone was short enough; what they have together is checked only for declared orders.
    if (isNew && strings.length > 1 && strings.every(({ property }) => isOrdered(before, property))) {
      refused.push(
        `The order ${order.map(({ property }) => property).join(', ')} cannot be added: stored values may be too long to stand in one index together. Declare it over new properties instead.`,
      )
    }
  }
  for (const [name, property] of Object.entries(after.properties)) {
    if (property.required && !Object.hasOwn(before.properties, name)) {
      refused.push(`Property ${name} cannot be added as required: stored objects have no value for it.`)
    }
  }
  return refused
}

const keysText = (order: DeclaredOrder): string =>
  order.map(({ property, direction }) => `${property} ${direction}`).join()

const isOrdered = (definition: ObjectTypeDefinition, name: string): boolean =>
  definition.properties[name]?.sortable === true ||
  (definition.orders?.some((order) => order.some((key) => key.property === name)) ?? false)
