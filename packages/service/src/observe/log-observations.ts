// Writes one JSON text per line. The lines are formatted here and not by pino, whose output they go to: pino handles each member
// of each line separately, which takes four times as long, and every page writes two lines.
import { hostname } from 'node:os'
import process from 'node:process'
import { pino, type Level } from 'pino'
import { logLevels, type ServeOptions } from '../config/options.ts'
import type { Observation, Observe } from './observation.ts'
import { peopleLine } from './people-line.ts'

const levels: Readonly<Record<Observation['kind'], Level>> = {
  'service-listening': 'info',
  'metrics-listening': 'info',
  'measuring-failed': 'warn',
  'spans-dropped': 'warn',
  'service-stopping': 'info',
  'worker-started': 'info',
  'worker-ended': 'error',
  'service-stopped': 'info',
  'explorer-missing': 'warn',
  'stop-grace-exceeded': 'error',
  'migration-applied': 'info',
  'database-migrated': 'info',
  'database-connection-lost': 'warn',
  'replica-asked': 'trace',
  'replica-failed': 'warn',
  'readiness-lost': 'warn',
  'readiness-gained': 'info',
  'history-pruned': 'info',
  'database-clock-ahead': 'warn',
  'pruning-failed': 'warn',
  'preparing-failed': 'warn',
  'objects-read': 'info',
  'change-made': 'info',
  'change-unknown': 'warn',
  'audit-not-written': 'warn',
  'audit-records-dropped': 'error',
  'audit-pruned': 'info',
  'certificate-loaded': 'info',
  'certificate-refused': 'error',
  'connections-dropped': 'warn',
  'guessing-slowed': 'warn',
  'request-served': 'info',
  'page-served': 'debug',
  'socket-opened': 'info',
  'socket-closed': 'info',
  'subscription-message-sent': 'trace',
  'answer-compressed': 'trace',
  'compression-skipped': 'trace',
  'request-refused': 'debug',
  'request-shed': 'debug',
  'request-failed': 'error',
}

/**
 * The observations that come with every request, whose lines are buffered. Any other line is written at once, together with the
 * buffered ones.
 */
const ofRequests: ReadonlySet<Observation['kind']> = new Set([
  'objects-read',
  'request-served',
  'page-served',
  'socket-opened',
  'socket-closed',
  'subscription-message-sent',
  'answer-compressed',
  'compression-skipped',
  'request-refused',
  'request-shed',
  'replica-asked',
])

/** What a pipe writes atomically: lines of several workers that share it are not interleaved. */
const pipeBytes = 4_096
const mostMillisecondsLate = 200

interface LogOutput {
  readonly write: (line: string) => void
  readonly flushSync?: () => void
}

/** Standard output, written a few times a second: a separate write for every line takes a tenth of the cost of a page. */
function gatheringOutput(): LogOutput {
  const output = pino.destination({ fd: 1, sync: true })
  let gathered: string[] = []
  let characters = 0
  const flushSync = (): void => {
    const lines = gathered
    gathered = []
    characters = 0
    const text = lines.join('')
    if (text === '') return
    // A character may be several bytes.
    const pieces = Buffer.byteLength(text) > pipeBytes ? lines : [text]
    for (const piece of pieces) output.write(piece)
  }
  setInterval(flushSync, mostMillisecondsLate).unref()
  process.on('exit', flushSync)
  return {
    write: (line) => {
      if (characters + line.length > pipeBytes) flushSync()
      gathered.push(line)
      characters += line.length
    },
    flushSync,
  }
}

/** The log of a process, in the format that its options ask for. */
export function openLog(
  { logLevel, logFormat }: Pick<ServeOptions, 'logLevel' | 'logFormat'>,
  environment: Readonly<Record<string, string | undefined>>,
): Observe {
  const isTerminal = process.stdout.isTTY
  if (logFormat === 'json' || (logFormat === 'auto' && !isTerminal)) return logObservations(logLevel)
  const output = gatheringOutput()
  const colour = isTerminal && !environment['NO_COLOR']
  return logObservations(logLevel, {
    ...output,
    write: (line) => output.write(peopleLine(line, { colour })),
  })
}

export const logObservations = (
  logLevel: ServeOptions['logLevel'],
  output: LogOutput = gatheringOutput(),
): Observe => {
  const from = JSON.stringify({ pid: process.pid, hostname: hostname() }).slice(1, -1)
  const logged = new Set<string>(logLevels.slice(logLevels.indexOf(logLevel)))
  return (observation) => {
    // Most observations of a page are logged only at a verbose level.
    const level = levels[observation.kind]
    if (!logged.has(level)) return
    output.write(
      `{"level":"${level}","time":"${new Date().toISOString()}",${from},${JSON.stringify(asJson(observation)).slice(1)}\n`,
    )
    if (!ofRequests.has(observation.kind)) output.flushSync?.()
  }
}

function asJson(observation: Observation) {
  if ('error' in observation) return { ...observation, error: describeError(observation.error) }
  if ('stages' in observation) return { ...observation, stages: Object.fromEntries(observation.stages) }
  return observation
}

// Only these members: a database error also contains the row that caused it, and objects are not logged.
const describeError = (error: unknown) => {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  return { name, message, code: 'code' in error ? error.code : undefined, stack }
}
