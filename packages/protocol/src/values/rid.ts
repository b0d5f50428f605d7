import { Type } from 'typebox'

/** A resource identifier: `ri.<service>.<instance>.<kind>.<locator>`. */
export type Rid = string & { readonly '~brand': 'Rid' }

export const ridPattern =
  '^ri\\.[a-z][a-z0-9-]*\\.([a-z0-9][a-z0-9\\-]*)?\\.[a-z][a-z0-9-]*\\.[a-zA-Z0-9._-]+$'

export const ridSchema = Type.Unsafe<Rid>(
  Type.String({
    pattern: ridPattern,
    examples: ['ri.ontology.main.ontology.5c0b8d1e-7a53-4c0f-9f0e-3f1f0f3f8f11'],
  }),
)

const rid = new RegExp(ridPattern)

export function isRid(value: string): value is Rid {
  return rid.test(value)
}
