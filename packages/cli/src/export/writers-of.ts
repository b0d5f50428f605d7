// The writer of each partition of an export, in its format.
import type { ExportFiles } from './export-files.ts'
import type { ExportOptions } from './export-options.ts'
import type { ExportTarget } from './export-target.ts'
import { csvObjectLines, ndjsonLines, type ObjectLines } from './object-line.ts'
import { lineWriter, type ObjectWriter } from './object-writer.ts'
import { parquetWriter, rowGroupSize } from './parquet-writer.ts'

type Form = Pick<ExportOptions, 'facts' | 'format' | 'escapesFormulas'>

export const linesOf = ({ facts, format, escapesFormulas }: Form): ObjectLines =>
  format === 'csv' ? csvObjectLines(facts, { escapesFormulas }) : ndjsonLines

/** Partitions that become one file have one header. */
export function writersOf(
  form: Form,
  targets: readonly ExportTarget[],
  { areApart }: Pick<ExportFiles, 'areApart'>,
): readonly ObjectWriter[] {
  if (form.format === 'parquet') {
    const size = rowGroupSize(targets.length)
    return targets.map((target) => parquetWriter(form.facts, target, size))
  }
  const lines = linesOf(form)
  return targets.map((target, i) =>
    lineWriter(i === 0 || areApart ? lines : { ...lines, header: '' }, target),
  )
}
