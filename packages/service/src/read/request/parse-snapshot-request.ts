// Which object types are named, and in which state.
import { snapshotRequestSchema } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { isJsonObject } from '../../base/value/json-object.ts'
import { shapeChecker } from './check-shape.ts'
import { parseTime } from './parse-time.ts'
import { refuseUnknownFields } from './query-parameters.ts'

export interface ParsedSnapshot {
  readonly objectTypes: readonly string[] | undefined
  /** The latest state when undefined. */
  readonly earlier: { readonly at: string } | { readonly version: string } | undefined
}

const checkShape = shapeChecker(snapshotRequestSchema)

export function parseSnapshotRequest(body: unknown): ParsedSnapshot {
  // A request without a body asks for all types, as `{}` does.
  const fields = body ?? {}
  if (isJsonObject(fields))
    refuseUnknownFields(Object.keys(fields), Object.keys(snapshotRequestSchema.properties))
  const request = checkShape(fields)
  // Null counts as absent (P180).
  const objectTypes = request.objectTypes ?? undefined
  const at = request.at ?? undefined
  const version = request.version ?? undefined
  if (version !== undefined) {
    if (at !== undefined) throw unfit('/version', 'it and `at` name two states: leave one of them out')
    if (new Set(objectTypes).size !== 1) {
      throw unfit(
        '/objectTypes',
        'it must name the one object type whose `version` is meant, because every object type counts its own; with `at`, several can be named',
      )
    }
    if (BigInt(version) < 0n || BigInt(version) > greatestVersion)
      throw unfit('/version', 'it must be a version, as commits and snapshots have it')
  }
  const time = at === undefined ? undefined : parseTime(at, '/at')
  return {
    objectTypes,
    earlier: time === undefined ? (version === undefined ? undefined : { version }) : { at: time },
  }
}

const greatestVersion = 2n ** 63n - 1n

const unfit = (path: string, problem: string) =>
  new ServiceError('Conjure:UnprocessableEntity', { path, problem })
