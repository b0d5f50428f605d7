import { fieldsOf, type Field } from '../filter/conditions.ts'
import type { ObjectType } from '../types/object-type.ts'

/** What can be counted by value and then filtered by it. Each object has its own key, so that is left out. */
export const facetFields = (type: ObjectType): readonly Field[] =>
  fieldsOf(type).filter(
    ({ name, isSearchable, isMany }) => isSearchable && !isMany && name !== type.primaryKey,
  )
