// A page as received, not yet validated.
import type { PropertyValue, ScalarValue } from '@octavo/protocol'

export interface WireRecord {
  readonly properties: Readonly<Record<string, PropertyValue>>
  readonly [field: string]: unknown
}

export interface WirePage {
  readonly data: readonly WireRecord[]
  readonly nextPageToken?: string
  readonly totalCount?: string
  readonly [field: string]: unknown
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isPage = (body: unknown): body is { readonly data: readonly unknown[] } =>
  isObject(body) && Array.isArray(body['data'])

export const isRecord = (item: unknown): item is WireRecord => isObject(item) && isObject(item['properties'])

/** The scalar value of a property; undefined if it has none, or if its value is not a scalar. */
export function scalarOf(record: WireRecord, property: string): ScalarValue | undefined {
  const value = record.properties[property]
  return value === undefined || value === null || typeof value === 'object' ? undefined : value
}
