import { Type } from 'typebox'

import { limits } from '../limits.ts'

/** Of ontologies, object types and properties: may contain dots, and any case (`com.example.object.person`). */
export const apiNamePattern = '^[A-Za-z][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*$'

export const apiNameSchema = Type.String({
  pattern: apiNamePattern,
  maxLength: limits.definition.nameCharacters,
})

/** Of struct components: no dot or colon, since a component is addressed as `property:COMPONENT`. */
export const componentNamePattern = '^[A-Za-z][A-Za-z0-9_-]*$'

export const componentNameSchema = Type.String({
  pattern: componentNamePattern,
  maxLength: limits.definition.nameCharacters,
})

/** Not `v1`, `v2` ...: those segments follow `/api/` in revision 1.0. */
export const apiFamilyPattern = '^(?!v[0-9]+$)[a-z][a-z0-9-]*$'

export const apiFamilySchema = Type.String({ pattern: apiFamilyPattern, maxLength: 64 })
