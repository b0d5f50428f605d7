import type { ObjectType } from './object-type.ts'

/**
 * The database has a newer definition of the type than the one a statement was made for. Nothing was read or
 * written under the old one; whoever asked reads the catalog again and makes the statement anew.
 */
export class StaleDefinition extends Error {
  override readonly name = 'StaleDefinition'

  constructor(type: Pick<ObjectType, 'schema' | 'id' | 'apiName'>) {
    super(`the definition of ${type.schema}.${type.apiName} has changed`)
  }
}
