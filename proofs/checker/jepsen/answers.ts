// What the service answers, as far as the checker reads it.
import type { Thing } from './state.ts'

export interface Refusal {
  readonly errorName?: string
  readonly parameters?: {
    readonly reason?: string
    readonly pageToken?: string
    readonly continueWith?: ContinueWith
  }
}

/** How a walk whose state is no longer readable continues in a later one. */
export interface ContinueWith {
  readonly fromSnapshotToken: string
  readonly toSnapshotToken: string
  readonly changesPageToken: string
  readonly pageToken: string
}

export type Answer<T> =
  | { readonly isDone: true; readonly json: T }
  | { readonly isDone: false; readonly status: number; readonly refusal: Refusal }

export interface Record1 {
  readonly primaryKey: string
  readonly properties: Thing
}

export interface Totals {
  readonly totalCount?: string
  readonly totalCountIsLowerBound?: boolean
  readonly checksum?: string
}

export interface Page<Item = Record1> extends Totals {
  readonly data: readonly Item[]
  readonly nextPageToken?: string
  readonly version?: string
  readonly snapshotToken?: string
}

type ObjectChange =
  | { readonly type: 'put'; readonly primaryKey: string; readonly object: Record1 }
  | { readonly type: 'delete'; readonly primaryKey: string }

export interface ChangesPage extends Page<ObjectChange> {
  readonly fromVersion: string
  readonly toVersion: string
  readonly snapshotToken: string
}

export interface SnapshotTaken {
  readonly snapshotToken: string
  readonly versions: Readonly<Record<string, string>>
}
