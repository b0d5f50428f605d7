/** Everything the service has to say about itself. It carries no token, no filter value and no object. */
export type Observation =
  | { readonly kind: 'service-listening'; readonly address: string }
  | { readonly kind: 'service-stopping'; readonly because: string; readonly graceSeconds: number }
  | { readonly kind: 'service-stopped' }
  | { readonly kind: 'stop-grace-exceeded'; readonly graceSeconds: number }
  | { readonly kind: 'migration-applied'; readonly name: string }
  | { readonly kind: 'database-migrated'; readonly applied: number }
  | { readonly kind: 'database-connection-lost'; readonly error: Error }
  | { readonly kind: 'readiness-lost'; readonly reasons: readonly string[] }
  | { readonly kind: 'readiness-gained' }
  | { readonly kind: 'history-pruned'; readonly historyRows: number; readonly commits: number }
  | { readonly kind: 'pruning-failed'; readonly error: unknown }
  | {
      readonly kind: 'request-served'
      readonly requestId: string
      readonly method: string
      readonly route: string
      readonly status: number
      readonly seconds: number
    }
  | {
      readonly kind: 'page-served'
      readonly endpoint: string
      readonly walkId: string
      readonly mode: 'default' | 'snapshot'
      readonly objects: number
      readonly bytes: number
      readonly last: boolean
      /** Milliseconds by stage. */
      readonly stages: Readonly<Record<string, number>>
    }
  | {
      readonly kind: 'request-refused'
      readonly errorName: string
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
