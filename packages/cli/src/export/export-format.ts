// The formats of an export. Those of records can be loaded again, and their files are written line by line.
import { extname } from 'node:path'
import { wrongUse } from '../base/cli-error.ts'
import { formatOfName, recordExtensions, recordFormats } from '../records/read-records.ts'
import { partitionPlaceholder } from './export-files.ts'

export const exportFormats = [...recordFormats, 'parquet'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** A name without an extension is as good as standard output; one with another extension is probably a mistake. */
export function exportFormatOf(out: string | undefined): ExportFormat {
  if (out === undefined || extname(out) === '') return 'ndjson'
  if (extname(out).toLowerCase() === '.parquet') return 'parquet'
  if (out.toLowerCase().endsWith('.gz')) {
    throw wrongUse(`octavo export does not compress: leave --out away and add | gzip > ${out}.`)
  }
  const format = formatOfName(out)
  if (format !== undefined) return format
  throw wrongUse(
    `The name ${out} does not tell a format: end it in ${recordExtensions}, .parquet, or add --format ndjson, --format csv or --format parquet.`,
  )
}

interface WantedFile {
  readonly out: string | undefined
  readonly partitions: number
  readonly isResumed: boolean
}

/** A Parquet file ends with an index of all that is before: so it is whole or nothing, and two of them cannot be joined. */
export function requireParquetCan({ out, partitions, isResumed }: WantedFile): void {
  if (out === undefined) throw notToStream()
  if (isResumed) {
    throw wrongUse(
      'An export to Parquet cannot be resumed, because what a file holds is written at its end: leave --resume away to start over, or export with --format ndjson.',
    )
  }
  if (partitions > 1 && !out.includes(partitionPlaceholder)) {
    throw wrongUse(
      `The partitions of an export to Parquet cannot be joined: put ${partitionPlaceholder} into the name, so that each gets its own file, as in --out '${partitionName(out)}'. Programs that read Parquet take several files as one.`,
    )
  }
}

export const notToStream = (): Error =>
  wrongUse(
    'Parquet can only be written to a file, because readers begin at its end: give --out FILE, or --format ndjson for standard output and pipes.',
  )

const partitionName = (out: string): string => {
  const extension = extname(out)
  return `${out.slice(0, out.length - extension.length)}-${partitionPlaceholder}${extension}`
}
