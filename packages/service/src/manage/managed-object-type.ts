import type { ManagedObjectType, Rid } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'

/** An object type as its maintainers see it. */
export const managedObjectType = (type: ObjectType): ManagedObjectType => ({
  apiName: type.apiName,
  rid: type.rid as Rid,
  revision: type.revision,
  preparing: preparing(type),
  definition: type.definition,
})

function preparing(type: ObjectType): string[] {
  const columns = type.columns.filter(({ filled }) => !filled)
  const building = type.indexes.filter(({ ready }) => !ready).flatMap(({ keys }) => keys)
  const unbuilt = type.columns.filter(({ name }) => building.some(({ column }) => column === name))
  return [...new Set([...columns, ...unbuilt].map(({ property }) => property))]
}
