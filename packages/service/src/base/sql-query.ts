/** A statement and its parameters. The text holds catalog identifiers only; every value is a parameter. */
export interface SqlQuery {
  readonly text: string
  readonly values: readonly SqlValue[]
}

export type SqlValue = string | number | boolean | null | readonly (string | boolean | null)[]

/** Collects parameters while a statement is put together, and gives each its place. */
export class Parameters {
  readonly values: SqlValue[] = []

  /** `$3::bigint`. Every value has a place of its own, so that the text depends on the shape of a request alone. */
  add(value: SqlValue, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}
