import type { Observe } from '../observe/observation.ts'

type UnreadyReason = {
  readonly name: 'stopping' | 'database-unreachable' | 'database-not-migrated'
  readonly description: string
}

/** No reason means ready. */
export type CheckReadiness = () => Promise<readonly UnreadyReason[]>

type Needs = {
  readonly isStopping: () => boolean
  readonly missingMigrations: () => Promise<readonly string[]>
  readonly observe: Observe
}

export const readinessOf = ({ isStopping, missingMigrations, observe }: Needs): CheckReadiness => {
  let wasReady: boolean | undefined

  const reasonsNow: CheckReadiness = async () => {
    if (isStopping()) return [stopping]
    try {
      const missing = await missingMigrations()
      return missing.length === 0 ? [] : [notMigrated(missing)]
    } catch (error) {
      return [unreachable(error)]
    }
  }

  return async () => {
    const reasons = await reasonsNow()
    const ready = reasons.length === 0
    // Load balancers ask every few seconds; only a change is news.
    if (ready !== wasReady) {
      observe(
        ready
          ? { kind: 'readiness-gained' }
          : { kind: 'readiness-lost', reasons: reasons.map(({ description }) => description) },
      )
    }
    wasReady = ready
    return reasons
  }
}

const stopping: UnreadyReason = {
  name: 'stopping',
  description: 'The service is stopping; use another instance.',
}

const notMigrated = (missing: readonly string[]): UnreadyReason => ({
  name: 'database-not-migrated',
  description: `The database lacks ${missing.join(', ')}; run migrate.`,
})

// The code only: whoever asks for health is not authenticated, and messages name hosts and users.
const unreachable = (error: unknown): UnreadyReason => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
  return {
    name: 'database-unreachable',
    description: `The database does not answer (${code}); check that it runs and that database-url is right.`,
  }
}
