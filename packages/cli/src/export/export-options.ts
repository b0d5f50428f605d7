import type { Query } from '@octavo/protocol'
import type { CompressChoice } from '../options/compress-option.ts'
import type { TypeFacts } from '../reading/type-facts.ts'
import type { ExportFormat } from './export-format.ts'

export interface ExportOptions {
  readonly facts: TypeFacts
  readonly family: string
  readonly token: string
  readonly query: Query
  readonly out: string | undefined
  readonly format: ExportFormat
  /** Whether a text in CSV that a spreadsheet would take for a formula gets an apostrophe before it. */
  readonly escapesFormulas: boolean
  readonly how: 'start' | 'resume' | 'restart'
  /** How many readers work side by side. */
  readonly partitions: number
  /** Names the state to export; the latest otherwise. */
  readonly at: string | undefined
  readonly compress: CompressChoice
  readonly json: boolean
}
