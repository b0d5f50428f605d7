import { tableNames } from './table-names.ts'

// Each right has one name of ours, and the names that tokens of the public API family use for it.

export const scopes = {
  read: {
    name: 'api:ontologies-read',
    aliases: ['api:use-ontologies-read', 'api:read-data'],
    meaning: 'Read ontologies, object types and objects.',
  },
  write: {
    name: 'api:ontologies-write',
    aliases: ['api:use-ontologies-write', 'api:write-data'],
    meaning: 'Put, delete and replace objects.',
  },
  admin: {
    name: 'api:ontologies-admin',
    aliases: [],
    meaning: 'Declare ontologies and object types, manage grants.',
  },
  tokens: {
    name: 'api:tokens-admin',
    aliases: [],
    meaning: 'Make, list and revoke access tokens of anybody.',
  },
} as const

export type Right = keyof typeof scopes
export type ScopeName = (typeof scopes)[Right]['name']

const rightByScope: ReadonlyMap<string, Right> = new Map(
  tableNames(scopes).flatMap((right) =>
    [scopes[right].name, ...scopes[right].aliases].map((scope) => [scope, right] as const),
  ),
)

/** The right that a scope of a token grants; undefined for a scope that is unknown here. */
export function rightOfScope(scope: string): Right | undefined {
  return rightByScope.get(scope)
}
