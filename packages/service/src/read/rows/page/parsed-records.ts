import type { ScalarValue } from '@octavo/protocol'
import { recordEnd } from '../../sql/record-text.ts'
import type { PageRows } from './page-rows.ts'

/** A record of a page that the service itself looks at. */
export interface ParsedRecord {
  readonly primaryKey: string
  readonly properties: Readonly<Record<string, ScalarValue | readonly ScalarValue[]>>
}

export const parsedRecords = ({ objects, records, shape }: PageRows): readonly ParsedRecord[] =>
  objects === 0 ? [] : (JSON.parse(`[${records.toString()}${recordEnd(shape)}]`) as readonly ParsedRecord[])
