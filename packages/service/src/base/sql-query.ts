/** A statement and its parameters. The text contains only identifiers from the catalog; every value is a parameter. */
export interface SqlQuery {
  readonly text: string
  readonly values: readonly SqlValue[]
}

export type SqlValue = string | number | boolean | null | readonly (string | boolean | null)[]

/** Collects the parameters of a statement while it is built, and assigns each its placeholder. */
export class Parameters {
  readonly values: SqlValue[] = []

  /**
   * Returns the placeholder, such as `$3::bigint`. Every value has its own placeholder, so that the text depends only on
   * the shape of a request.
   */
  add(value: SqlValue, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}
