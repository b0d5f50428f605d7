import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { closed, type Wire } from '../base/wire.ts'
import { apiNamePattern, componentNamePattern } from './name-patterns.ts'
import { scalarTypes } from './type-names.ts'

export const scalarTypeSchema = Type.Enum([...scalarTypes])

/** For the names of a record, of which a schema can give a pattern only. */
const ofNameLength = (pattern: string): string =>
  pattern.replace('^', `^(?=.{1,${limits.definition.nameCharacters}}$)`)

/** An object, so that a component can say more than its type one day. */
const componentSchema = Type.Object({ type: scalarTypeSchema }, closed)

export const structTypeSchema = Type.Object(
  {
    struct: Type.Record(Type.String({ pattern: ofNameLength(componentNamePattern) }), componentSchema, {
      ...closed,
      minProperties: 1,
      maxProperties: limits.definition.structComponents,
    }),
  },
  closed,
)
export type StructType = Wire<typeof structTypeSchema>

export const arrayTypeSchema = Type.Object(
  { array: Type.Union([scalarTypeSchema, structTypeSchema]) },
  closed,
)
export type ArrayType = Wire<typeof arrayTypeSchema>

/** For example `"string"`, `{"struct": {"firstName": {"type": "string"}}}`, `{"array": "string"}`, `{"array": {"struct": {...}}}`. */
export const propertyTypeSchema = Type.Union([scalarTypeSchema, structTypeSchema, arrayTypeSchema])
export type PropertyType = Wire<typeof propertyTypeSchema>

export const propertyNameKey = Type.String({ pattern: ofNameLength(apiNamePattern) })
