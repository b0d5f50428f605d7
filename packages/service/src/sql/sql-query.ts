/** A statement and its parameters. The text holds catalog identifiers only; every value is a parameter. */
export interface SqlQuery {
  readonly text: string
  readonly values: readonly SqlValue[]
}

export type SqlValue = string | number | boolean | null | readonly (string | boolean | null)[]

/** Collects parameters while a statement is put together, and gives each its place. */
export class Parameters {
  readonly values: SqlValue[] = []
  readonly #places = new Map<string, string>()

  /** `$3::bigint`: the same value with the same type has one place. */
  add(value: SqlValue, type: string): string {
    // Nulls and arrays have a place of their own; the mark keeps them apart from a text that looks like one.
    const same = typeof value === 'object' ? `${type} #${this.values.length}` : `${type} =${String(value)}`
    let place = this.#places.get(same)
    if (place === undefined) {
      this.values.push(value)
      place = `$${this.values.length}::${type}`
      this.#places.set(same, place)
    }
    return place
  }
}
