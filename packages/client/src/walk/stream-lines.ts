// From the bytes of a stream to its lines. Lines are parsed as they arrive, all that have arrived at once: one by one would take
// longer than a page does.
import { unlucky, type FailedAttempt } from '../transport/failed-attempt.ts'

export type StreamLine = Readonly<Record<string, unknown>>

export interface StreamLines {
  /** The lines that end in these bytes. */
  readonly take: (bytes: Uint8Array) => readonly StreamLine[]
}

const lineEnd = 10

export function streamLines(url: string): StreamLines {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  /** The beginning of a line whose end has not arrived. */
  let rest: Uint8Array[] = []
  return {
    take: (bytes) => {
      const end = bytes.lastIndexOf(lineEnd)
      if (end < 0) {
        rest.push(bytes)
        return []
      }
      const whole = joined([...rest, bytes.subarray(0, end)])
      rest = end + 1 < bytes.length ? [bytes.subarray(end + 1)] : []
      try {
        const lines = decoder.decode(whole).split('\n')
        // JSON text has no line ends, so this is a list with an item for each line.
        const values = JSON.parse(`[${lines.join(',')}]`) as readonly StreamLine[]
        if (values.length === lines.length) return values
      } catch {
        // The error below says it.
      }
      throw unreadable(url, whole)
    },
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0]
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const unreadable = (url: string, bytes: Uint8Array): FailedAttempt =>
  unlucky({
    errorName: 'UnreadableAnswer',
    parameters: { status: 200, start: new TextDecoder().decode(bytes.subarray(0, 80)) },
    sentence: `${url} sent a line of a stream that is not JSON. Check the proxies between this client and the service.`,
    status: 200,
  })
