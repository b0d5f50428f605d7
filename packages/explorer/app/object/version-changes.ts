// The differences between two states of an object.
export type Values = Readonly<Record<string, unknown>>

export interface PropertyChange {
  readonly property: string
  /** As text; absent if there was no value. */
  readonly before?: string
  readonly after?: string
}

/** Without an older state, everything is new. The order is that of the names. */
export function changesBetween(
  names: readonly string[],
  older: Values,
  newer: Values,
): readonly PropertyChange[] {
  return names.flatMap((property) => {
    const [before, after] = [textOf(older, property), textOf(newer, property)]
    if (before === after) return []
    return [{ property, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
  })
}

/** A property may be called `__proto__`, so only what the object itself has is a value. */
function textOf(values: Values, name: string): string | undefined {
  if (!Object.hasOwn(values, name)) return undefined
  const value = values[name]
  return typeof value === 'string' ? value : JSON.stringify(value)
}
