import type { Observe } from '../../observe/observation.ts'

type UnreadyReason = {
  readonly name: 'stopping' | 'database-unreachable' | 'database-not-migrated'
  readonly description: string
}

/** Returns the reasons for not being ready; none means ready. */
export type CheckReadiness = () => Promise<readonly UnreadyReason[]>

type Needs = {
  readonly isStopping: () => boolean
  readonly missingMigrations: () => Promise<readonly string[]>
  readonly observe: Observe
}

/** Less than the 3 seconds that the probes in deploy/ wait, so that a probe gets the reason instead of a time-out. */
const answerWithinMs = 2_000

export const readinessOf = ({ isStopping, missingMigrations, observe }: Needs): CheckReadiness => {
  let wasReady: boolean | undefined
  let underWay: Promise<readonly string[]> | undefined

  /** While the database has not answered a check, no further check is sent: otherwise probes would pile up behind it. */
  const missingInTime = (): Promise<readonly string[]> => {
    underWay ??= missingMigrations().finally(() => {
      underWay = undefined
    })
    return within(answerWithinMs, underWay)
  }

  const reasonsNow: CheckReadiness = async () => {
    if (isStopping()) return [stopping]
    try {
      const missing = await missingInTime()
      return missing.length === 0 ? [] : [notMigrated(missing)]
    } catch (error) {
      return [unreachable(error)]
    }
  }

  return async () => {
    const reasons = await reasonsNow()
    const ready = reasons.length === 0
    // Load balancers ask every few seconds, so only a change is reported.
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

async function within<Value>(milliseconds: number, answer: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('late')), milliseconds)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
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

// Only the code: health endpoints are not authenticated, and messages contain the names of hosts and users.
const unreachable = (error: unknown): UnreadyReason => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
  return {
    name: 'database-unreachable',
    description: `The database does not answer (${code}); check that it runs and that database-url is right.`,
  }
}
