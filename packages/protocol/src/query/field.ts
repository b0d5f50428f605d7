import { Type } from 'typebox'

/** `property`, `properties.property`, or a struct component as `property:COMPONENT`. */
export const fieldPattern = '^[A-Za-z][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*(:[A-Za-z][A-Za-z0-9_-]*)?$'

/** A string only: a field that is badly written is `InvalidFields` by name, not a fault of the body's shape. */
export const fieldSchema = Type.String({ examples: ['age', 'properties.age', 'name:firstName'] })
