import { rightOfScope, type Right } from '@octavo/protocol'

/** Unknown scopes are ignored (P118). */
export const rightsOfScopes = (scopes: readonly string[]): ReadonlySet<Right> =>
  new Set(scopes.map(rightOfScope).filter((right) => right !== undefined))
