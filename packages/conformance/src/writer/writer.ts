import type { BatchLine } from '@octavo/protocol'

/** Applies a batch of changes to the type atomically, and resolves once the server has acknowledged it. */
export interface Writer {
  readonly write: (lines: readonly BatchLine[]) => Promise<void>
}

/** The writer failed; this says nothing about the server's pages. */
export class WriterFailed extends Error {}

export const ndjsonOf = (lines: readonly BatchLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')
