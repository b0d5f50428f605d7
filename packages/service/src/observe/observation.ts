import type { StageTimes } from './stage-timer.ts'

/** Who read objects of which type: for the audit. It carries no key and no condition. */
interface ObjectsRead {
  readonly kind: 'objects-read'
  readonly requestId: string
  readonly subject: string
  readonly endpoint: string
  readonly ontologyRid: string
  readonly objectType: string
  readonly objects: number
  readonly bytes: number
  readonly mode: 'default' | 'snapshot'
  /** Of a page; a single object belongs to no walk. */
  readonly walkId?: string
  /** What ended a page: its size, the byte budget, the time for it, or the end of the walk. */
  readonly endedBy?: 'pageSize' | 'byteBudget' | 'time' | 'end'
}

/** Who changed what: for the audit. */
export interface ChangeMade {
  readonly kind: 'change-made'
  readonly subject: string
  readonly action:
    | 'applyOntology'
    | 'applyObjectType'
    | 'commit'
    | 'createAccessToken'
    | 'revokeAccessToken'
    | 'addGrant'
    | 'removeGrant'
  readonly ontologyRid?: string
  /** Of a commit of several types, a comma list. */
  readonly objectType?: string
  /** The id of a token or a grant, the version of a commit, the revision of a definition. */
  readonly target?: string
  /** Objects put or deleted. */
  readonly objects?: number
  readonly put?: number
  readonly deleted?: number
}

/** Whoever tried to change something may have done so: the connection was lost while it was being committed (P171). */
interface ChangeUnknown extends Omit<ChangeMade, 'kind' | 'put' | 'deleted'> {
  readonly kind: 'change-unknown'
}

/** Everything the service has to say about itself. It carries no token, no filter value and no object. */
export type Observation =
  | { readonly kind: 'service-listening'; readonly address: string }
  | { readonly kind: 'metrics-listening'; readonly address: string }
  | { readonly kind: 'measuring-failed'; readonly error: unknown }
  | { readonly kind: 'spans-dropped'; readonly dropped: number; readonly error?: unknown }
  | {
      readonly kind: 'service-stopping'
      readonly because: string
      readonly delaySeconds: number
      readonly graceSeconds: number
    }
  | { readonly kind: 'worker-started'; readonly worker: number }
  | {
      readonly kind: 'worker-ended'
      readonly worker: number
      readonly because: string
      /** Until another one is started in its place. */
      readonly againInSeconds: number
    }
  | { readonly kind: 'service-stopped' }
  | { readonly kind: 'stop-grace-exceeded'; readonly graceSeconds: number }
  | { readonly kind: 'migration-applied'; readonly name: string }
  | { readonly kind: 'database-migrated'; readonly applied: number; readonly ontologies: number }
  | { readonly kind: 'database-connection-lost'; readonly error: Error }
  /** Of a page: the replica gave it, or was not there yet and the primary did. */
  | { readonly kind: 'replica-asked'; readonly replica: string; readonly outcome: 'read' | 'behind' }
  | { readonly kind: 'replica-failed'; readonly replica: string; readonly error: unknown }
  | { readonly kind: 'readiness-lost'; readonly reasons: readonly string[] }
  | { readonly kind: 'readiness-gained' }
  | { readonly kind: 'history-pruned'; readonly historyRows: number; readonly commits: number }
  | { readonly kind: 'pruning-failed'; readonly error: unknown }
  /** What an interrupted change of a definition left undone could not be finished either. */
  | { readonly kind: 'preparing-failed'; readonly objectType?: string; readonly error: unknown }
  | ObjectsRead
  | ChangeMade
  | ChangeUnknown
  | { readonly kind: 'audit-not-written'; readonly waiting: number; readonly error: unknown }
  | { readonly kind: 'audit-records-dropped'; readonly dropped: number }
  | { readonly kind: 'audit-pruned'; readonly records: number }
  | { readonly kind: 'certificate-loaded'; readonly file: string }
  | { readonly kind: 'certificate-refused'; readonly file: string; readonly error: unknown }
  | { readonly kind: 'connections-dropped'; readonly dropped: number; readonly maximum: number }
  | { readonly kind: 'guessing-slowed'; readonly address: string; readonly seconds: number }
  | {
      readonly kind: 'request-served'
      readonly requestId: string
      readonly method: string
      readonly route: string
      /** Of the client, as far as the trusted proxies tell it. */
      readonly address: string
      readonly status: number
      readonly seconds: number
      /** Of the trace that the request belongs to (W3C Trace Context), if its client has one. */
      readonly traceparent?: string
    }
  | {
      readonly kind: 'page-served'
      readonly requestId: string
      readonly endpoint: string
      readonly walkId: string
      readonly mode: 'default' | 'snapshot'
      readonly objects: number
      readonly bytes: number
      readonly last: boolean
      /** Milliseconds by stage. */
      readonly stages: StageTimes
    }
  | {
      readonly kind: 'request-refused'
      readonly errorName: string
      /** Of a page token. */
      readonly reason?: string
      readonly errorInstanceId: string
      readonly requestId: string
    }
  | {
      /** There was too much to do; `reason` says of what. */
      readonly kind: 'request-shed'
      readonly errorName: string
      readonly reason: string
      readonly errorInstanceId: string
      readonly requestId: string
    }
  | {
      readonly kind: 'request-failed'
      readonly errorName: string
      readonly errorInstanceId: string
      readonly requestId: string
      readonly error: unknown
    }

export type Observe = (observation: Observation) => void
