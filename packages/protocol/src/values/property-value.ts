import { Type } from 'typebox'

import type { Wire } from '../base/wire.ts'

/** `long`, `decimal`, `date` and `timestamp` are sent as strings; `integer` and `double` as numbers. */
export const scalarValueSchema = Type.Union([Type.String(), Type.Boolean(), Type.Number()])
export type ScalarValue = Wire<typeof scalarValueSchema>

export const structValueSchema = Type.Record(Type.String(), scalarValueSchema)
export type StructValue = Wire<typeof structValueSchema>

export const propertyValueSchema = Type.Union([
  scalarValueSchema,
  structValueSchema,
  Type.Array(Type.Union([scalarValueSchema, structValueSchema])),
])
export type PropertyValue = Wire<typeof propertyValueSchema>

/** The text of a `long`: no plus sign, no leading zeros. The reader checks the 64-bit range. */
export const longTextPattern = '^(0|-?[1-9][0-9]{0,18})$'
export const decimalTextPattern = '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$'
export const dateTextPattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
/** A timestamp as the service writes it: in UTC, with only as many decimals as the value has. */
export const timestampTextPattern =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{0,5}[1-9])?Z$'
