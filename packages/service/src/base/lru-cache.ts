/** An LRU cache: it holds a limited number of values, and evicts the least recently used one. */
export interface LruCache<Value> {
  readonly get: (key: string) => Value | undefined
  readonly set: (key: string, value: Value) => void
  readonly delete: (key: string) => void
  readonly clear: () => void
}

export function lruCache<Value>(most: number): LruCache<Value> {
  // A Map keeps its keys in the order of insertion.
  const values = new Map<string, Value>()
  const putLast = (key: string, value: Value): void => {
    values.delete(key)
    values.set(key, value)
  }
  return {
    get: (key) => {
      const value = values.get(key)
      if (value !== undefined) putLast(key, value)
      return value
    },
    set: (key, value) => {
      putLast(key, value)
      if (values.size <= most) return
      const [oldest] = values.keys()
      if (oldest !== undefined) values.delete(oldest)
    },
    delete: (key) => void values.delete(key),
    clear: () => values.clear(),
  }
}
