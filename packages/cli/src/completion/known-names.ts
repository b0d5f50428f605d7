// The names that a completion can offer only by asking: the service, or the file of profiles.
import type { Connection } from '../connection/connection.ts'
import { visibleOntologies } from '../connection/find-ontology.ts'
import { objectTypesOf } from '../connection/object-types.ts'

export const nameKinds = ['types', 'ontologies', 'profiles', 'properties'] as const
export type NameKind = (typeof nameKinds)[number]

export interface NamesAsked {
  readonly kind: Exclude<NameKind, 'profiles'>
  /** Whose properties. */
  readonly type?: string | undefined
  /** The ontology that the settings name. */
  readonly ontology?: string | undefined
}

/** Nothing, if there are several ontologies and none is chosen. */
export async function knownNames(
  connection: Connection,
  { kind, type, ontology }: NamesAsked,
): Promise<readonly string[]> {
  const visible = await visibleOntologies(connection)
  if (kind === 'ontologies') return visible.map(({ apiName }) => apiName)
  const fitting = visible.filter(
    ({ rid, apiName }) => ontology === undefined || ontology === rid || ontology === apiName,
  )
  const [only, ...others] = fitting
  if (only === undefined || others.length > 0) return []
  const types = await objectTypesOf(connection, only)
  return kind === 'types'
    ? types.map(({ apiName }) => apiName)
    : Object.keys(types.find(({ apiName }) => apiName === type)?.definition.properties ?? {})
}
