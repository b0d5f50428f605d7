import { rightOfScope, type Right } from '@octavo/protocol'

/** Scopes that mean nothing here are left out (P118). */
export const rightsOfScopes = (scopes: readonly string[]): ReadonlySet<Right> =>
  new Set(scopes.map(rightOfScope).filter((right) => right !== undefined))
