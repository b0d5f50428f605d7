import { nameHelp } from '@octavo/protocol'
import { ServiceError } from '../base/errors/service-error.ts'
import type { ObjectType } from './object-type.ts'

/** A caller who may read a type may read its definition: none of its properties is secret. */
export const propertiesNotFound = (type: ObjectType, unknown: readonly string[]): ServiceError =>
  new ServiceError('PropertiesNotFound', {
    objectType: type.apiName,
    properties: [...unknown],
    ...nameHelp(unknown, Object.keys(type.definition.properties)),
  })
