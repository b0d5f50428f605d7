/**
 * The same body without the fields that are `null`, at any depth: they count as absent (P180). Without recursion, because a body may nest
 * as deep as it is long.
 */
export function withoutNulls(body: unknown): unknown {
  const left = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [name, item] of Object.entries(value)) {
      if (item === null && !Array.isArray(value)) Reflect.deleteProperty(value, name)
      else left.push(item)
    }
  }
  return body
}
