import { pino, type DestinationStream, type Level } from 'pino'
import type { ServeOptions } from '../config/options.ts'
import type { Observation, Observe } from './observation.ts'

const levels: Readonly<Record<Observation['kind'], Level>> = {
  'service-listening': 'info',
  'metrics-listening': 'info',
  'measuring-failed': 'warn',
  'spans-dropped': 'warn',
  'service-stopping': 'info',
  'service-stopped': 'info',
  'stop-grace-exceeded': 'error',
  'migration-applied': 'info',
  'database-migrated': 'info',
  'database-connection-lost': 'warn',
  'readiness-lost': 'warn',
  'readiness-gained': 'info',
  'history-pruned': 'info',
  'pruning-failed': 'warn',
  'objects-read': 'info',
  'change-made': 'info',
  'audit-not-written': 'warn',
  'audit-records-dropped': 'error',
  'audit-pruned': 'info',
  'certificate-loaded': 'info',
  'certificate-refused': 'error',
  'connections-dropped': 'warn',
  'guessing-slowed': 'warn',
  'request-served': 'info',
  'page-served': 'debug',
  'request-refused': 'debug',
  'request-failed': 'error',
}

export const logObservations = (
  logLevel: ServeOptions['logLevel'],
  destination: DestinationStream = pino.destination({ fd: 1, sync: true }),
): Observe => {
  const log = pino(
    {
      level: logLevel,
      messageKey: 'kind',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: describeError },
    },
    destination,
  )
  return ({ kind, ...details }) => log[levels[kind]](details, kind)
}

// Only these members: a database error also carries the row it stumbled on, and objects are not logged.
const describeError = (error: unknown) => {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  return { name, message, code: 'code' in error ? error.code : undefined, stack }
}
