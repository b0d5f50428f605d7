import type { ObjectType } from './object-type.ts'

/**
 * The database has a newer definition of the type than the one that a statement was compiled for. Nothing was read or written
 * under the old one; the caller reads the catalog again and compiles the statement again.
 */
export class StaleDefinition extends Error {
  override readonly name = 'StaleDefinition'

  constructor(type: Pick<ObjectType, 'schema' | 'id' | 'apiName'>) {
    super(`the definition of ${type.schema}.${type.apiName} has changed`)
  }
}
