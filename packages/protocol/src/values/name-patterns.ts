/** API names of ontologies, object types and properties may contain dots and either case (`com.example.object.person`). What begins with `ri.` is a rid. */
export const apiNamePattern = '^(?!ri\\.)[A-Za-z][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*$'

/** Names of struct components contain no dot or colon, because a component is addressed as `property:COMPONENT`. */
export const componentNamePattern = '^[A-Za-z][A-Za-z0-9_-]*$'

/** An API family is not named `v1`, `v2` ...: those path segments follow `/api/` in revision 1.0. */
export const apiFamilyPattern = '^(?!v[0-9]+$)[a-z][a-z0-9-]*$'
