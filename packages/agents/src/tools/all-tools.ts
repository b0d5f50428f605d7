import { changesSince } from './changes-since.ts'
import { countBy } from './count-by.ts'
import { describeType } from './describe-type.ts'
import { getObject } from './get-object.ts'
import { listOntologies } from './list-ontologies.ts'
import { listTypes } from './list-types.ts'
import { searchObjects } from './search-objects.ts'
import type { Tool } from './tool.ts'

/** In the order in which an agent needs them. All of them only read. */
export const allTools: readonly Tool[] = [
  listOntologies,
  listTypes,
  describeType,
  searchObjects,
  getObject,
  countBy,
  changesSince,
]
