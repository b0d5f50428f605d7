import type { BatchLine } from '@octavo/protocol'
import type { Exchange } from '../exchange/exchange.ts'

/** Applies a batch of changes to the type atomically, and resolves once the server has acknowledged it. */
export interface Writer {
  readonly write: (lines: readonly BatchLine[]) => Promise<void>
  /** Sends a batch with these headers, and returns whatever is answered; only to the endpoint that P130 defines. */
  readonly attempt?: (
    lines: readonly BatchLine[],
    headers: Readonly<Record<string, string>>,
  ) => Promise<Exchange>
}

/** The writer failed; this says nothing about the server's pages. */
export class WriterFailed extends Error {}

export const ndjsonOf = (lines: readonly BatchLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')
