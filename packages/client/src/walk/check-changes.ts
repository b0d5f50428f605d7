// Checks that an answer is a page of changes, and the next one of the same difference (P270, P271).
import { afterToken, differ, invalidPage, tokenOf } from './check-page.ts'
import type { WalkPosition } from './walk-position.ts'
import type { WalkRequest } from './walk-request.ts'

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  (typeof value === 'object' && value !== null ? value : {}) as Fields

/** Checks the page and returns the position after it. A page may be empty although others follow. */
export function checkChanges(walk: WalkRequest, at: WalkPosition, body: unknown): WalkPosition {
  const { data, nextPageToken, snapshotToken, fromVersion, toVersion } = fieldsOf(body)
  if (!Array.isArray(data)) throw invalidPage('dataMissing', walk, at)
  // A change of another kind would be lost if it were passed over.
  if (!data.every(isChange)) throw invalidPage('changeUnknown', walk, at)
  const pageToken = tokenOf(nextPageToken, walk, at)
  const hasState = typeof snapshotToken === 'string' && snapshotToken !== ''
  if (hasState === (pageToken !== undefined)) throw invalidPage('stateMisplaced', walk, at)
  const isNamed = typeof fromVersion === 'string' && typeof toVersion === 'string'
  if (!isNamed || differ(fromVersion, at.fromVersion) || differ(toVersion, at.version)) {
    throw invalidPage('snapshotChanged', walk, at)
  }
  const objects = at.objects + data.length
  const facts = { objects, fromVersion, version: toVersion }
  return pageToken === undefined
    ? { ended: true, pages: at.pages + 1, ...facts }
    : { ...afterToken(walk, at, pageToken), ...facts }
}

function isChange(value: unknown): boolean {
  const { type, primaryKey, object } = fieldsOf(value)
  if (typeof primaryKey !== 'string') return false
  return type === 'delete' || (type === 'put' && typeof object === 'object' && object !== null)
}
