import type { Right } from '@octavo/protocol'

/** Who sent a request, according to its credentials. */
export interface Caller {
  readonly subject: string
  readonly groups: readonly string[]
  /** The rights from the scopes of the credentials. Grants decide which ontologies the caller may use them on. */
  readonly rights: ReadonlySet<Right>
  /** The claims of the credentials: values for object policies. */
  readonly claims: Readonly<Record<string, unknown>>
}
