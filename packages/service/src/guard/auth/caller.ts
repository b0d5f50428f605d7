import type { Right } from '@octavo/protocol'

/** Who the credentials of a request stand for, and what they say about them. */
export interface Caller {
  readonly subject: string
  readonly groups: readonly string[]
  /** From the scopes of the credentials. What the caller may see of it is a matter of grants. */
  readonly rights: ReadonlySet<Right>
  /** What the credentials claim of the caller: values for object policies. */
  readonly claims: Readonly<Record<string, unknown>>
}
