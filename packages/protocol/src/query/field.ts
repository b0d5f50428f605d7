import { Type } from 'typebox'

/** A field of a query: `property`, `properties.property`, or a struct component as `property:COMPONENT`. */
export const fieldPattern = '^[A-Za-z][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*(:[A-Za-z][A-Za-z0-9_-]*)?$'

/** Any string: a malformed field is reported as `InvalidFields`, with its name, not as a malformed body. */
export const fieldSchema = Type.String({ examples: ['age', 'properties.age', 'name:firstName'] })
