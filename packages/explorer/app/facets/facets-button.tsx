import type { ObjectType } from '../types/object-type.ts'
import { facetFields } from './facet-fields.ts'

interface FacetsButtonProps {
  readonly type: ObjectType
  readonly open: readonly string[] | undefined
  readonly onOpen: (fields: readonly string[] | undefined) => void
}

/** Opens the counts by value with those of the first property, and closes them. Absent where nothing can be counted so. */
export function FacetsButton({ type, open, onOpen }: FacetsButtonProps) {
  const [first] = facetFields(type)
  if (first === undefined) return null
  return (
    <button
      type="button"
      aria-expanded={open !== undefined}
      onClick={() => onOpen(open === undefined ? [first.name] : undefined)}
    >
      Facets
    </button>
  )
}
