import type { AuditRecord, StreamMessage } from '@octavo/protocol'
import type { StageTimes } from './stage-timer.ts'

/** Who read objects of which type: for the audit. It contains no key and no condition. */
export interface ObjectsRead {
  readonly kind: 'objects-read'
  readonly requestId: string
  readonly subject: string
  readonly endpoint: string
  readonly ontologyRid: string
  readonly objectType: string
  readonly objects: number
  readonly bytes: number
  readonly mode: 'default' | 'snapshot'
  /** The walk of a page; a single object belongs to no walk. */
  readonly walkId?: string
  /** What ended the page: its size, the byte budget, the time limit, or the end of the walk. */
  readonly endedBy?: 'pageSize' | 'byteBudget' | 'time' | 'end'
}

/** What was changed beside the ontology and the type. The audit shows those of an ontology under the same names. */
export interface ChangeDetails extends Pick<
  AuditRecord,
  'version' | 'revision' | 'role' | 'principal' | 'node' | 'source'
> {
  /** Of an ontology that may have no rid yet. */
  readonly apiName?: string
  readonly accessTokenId?: string
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
    | 'putGrant'
    | 'removeGrant'
    | 'moveOntology'
    | 'forgetSource'
  readonly ontologyRid?: string
  /** For a commit of several types, a comma-separated list. */
  readonly objectType?: string
  readonly details?: ChangeDetails
  /** The number of objects created, updated or deleted. */
  readonly objects?: number
  readonly created?: number
  readonly updated?: number
  readonly deleted?: number
}

/** The connection was lost during the commit: the caller's change may or may not have been made (P171). */
interface ChangeUnknown extends Omit<ChangeMade, 'kind' | 'created' | 'updated' | 'deleted'> {
  readonly kind: 'change-unknown'
}

/** Everything that the service reports about itself. It contains no token, no filter value and no object. */
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
      /** Seconds until a replacement is started. */
      readonly againInSeconds: number
    }
  | { readonly kind: 'service-stopped' }
  /** The service serves everything else; `build` is the command that builds the explorer. */
  | { readonly kind: 'explorer-missing'; readonly build: string }
  | { readonly kind: 'stop-grace-exceeded'; readonly graceSeconds: number }
  | { readonly kind: 'migration-applied'; readonly name: string }
  | { readonly kind: 'database-migrated'; readonly applied: number; readonly ontologies: number }
  | { readonly kind: 'database-connection-lost'; readonly error: Error }
  /** The outcome of asking a replica for a page: it read the page, or it was behind and the primary read it. */
  | { readonly kind: 'replica-asked'; readonly replica: string; readonly outcome: 'read' | 'behind' }
  | { readonly kind: 'replica-failed'; readonly replica: string; readonly error: unknown }
  | { readonly kind: 'readiness-lost'; readonly reasons: readonly string[] }
  | { readonly kind: 'readiness-gained' }
  | { readonly kind: 'history-pruned'; readonly historyRows: number; readonly commits: number }
  /** By so much longer everything is kept. */
  | { readonly kind: 'database-clock-ahead'; readonly seconds: number }
  | { readonly kind: 'pruning-failed'; readonly error: unknown }
  /** An attempt to finish an interrupted change of a definition failed. */
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
      /** The address of the client, as far as trusted proxies report it. */
      readonly address: string
      readonly status: number
      readonly seconds: number
      /** The trace that the request belongs to (W3C Trace Context), if the client sent one. */
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
  /** A connection for subscriptions; what is sent over it is audited like any other read. */
  | { readonly kind: 'socket-opened'; readonly requestId: string; readonly subject: string }
  | {
      readonly kind: 'socket-closed'
      readonly requestId: string
      readonly subject: string
      /** As the protocol of web sockets numbers them. */
      readonly code: number
      readonly seconds: number
    }
  | { readonly kind: 'subscription-message-sent'; readonly message: StreamMessage['type'] }
  | {
      readonly kind: 'answer-compressed'
      readonly coding: string
      readonly bytes: number
      readonly compressedBytes: number
    }
  /** The answer was sent as it is, because as many as may be were being compressed. */
  | { readonly kind: 'compression-skipped'; readonly requestId: string }
  | {
      readonly kind: 'request-refused'
      readonly errorName: string
      /** Why a page token was refused, or why changes are not known any more. */
      readonly reason?: string
      readonly errorInstanceId: string
      readonly requestId: string
    }
  | {
      /** The request was refused because of overload; `reason` says of which kind. */
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
