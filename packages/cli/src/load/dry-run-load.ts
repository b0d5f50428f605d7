// `octavo load --dry-run`: sends the batches of a load as dry runs, and adds up what they would change.
import type { CommitPreview } from '@octavo/protocol'
import type { CommandContext } from '../base/command-context.ts'
import type { ConnectedOntology } from '../connection/connect.ts'
import { findObjectType } from '../connection/object-types.ts'
import { requestPath } from '../connection/request-path.ts'
import { jsonLine } from '../output/printed-value.ts'
import { beginning } from '../records/line.ts'
import { readRecords } from '../records/read-records.ts'
import { openSource } from '../source/open-source.ts'
import { batchMemories } from './batch-memory.ts'
import { codingFor } from './compression.ts'
import { cutBatches } from './cut-batches.ts'
import { previewText } from './preview-text.ts'
import { rejectionText } from './rejection.ts'
import type { LoadOptions } from './run-load.ts'
import { sendBatch } from './send-batch.ts'

/** The first reasons are shown; a dry run writes no file. */
const mostShown = 10

export async function dryRunLoad(
  context: CommandContext,
  { connection, ontology }: ConnectedOntology,
  options: LoadOptions,
): Promise<void> {
  const { objectType, missing } = options
  const { definition } = await findObjectType(connection, ontology, objectType)
  const target = {
    connection,
    path: requestPath`/manage/v1/ontologies/${ontology.rid}/objectTypes/${objectType}/batches`,
    dryRun: true,
    loadId: '',
    coding: codingFor(options.compress, connection.url),
    retrySeconds: options.retrySeconds,
    stopAsked: context.stopAsked,
    onThrottled: () => {},
    onRejected: () => {},
  } as const
  const sum = { dryRun: true, created: 0, updated: 0, unchanged: 0, deleted: 0, rejected: 0 }
  let batches = 0
  for (const source of options.sources) {
    const { input, ...form } = await openSource(context, source, definition, options)
    const records = await readRecords(input, { ...form, missing, definition })
    const memories = batchMemories(options.batchBytes, missing === 'kept' ? 'merge' : 'put')
    for await (const batch of cutBatches(records, { ...options, from: beginning, memories })) {
      context.stopAsked.throwIfAborted()
      const { receipt, rejections } = await sendBatch<CommitPreview>(target, batch)
      memories.giveBack(batch.memory)
      batches += 1
      sum.created += receipt?.created ?? 0
      sum.updated += receipt?.updated ?? 0
      sum.unchanged += receipt?.unchanged ?? 0
      for (const rejection of rejections.slice(0, Math.max(0, mostShown - sum.rejected))) {
        context.output.note(`${rejectionText(input.name, rejection)}\n`)
      }
      sum.rejected += new Set(rejections.map(({ line }) => line)).size
    }
  }
  // Nothing is kept of a dry run, so the next batch knows nothing of this one.
  const twice = batches > 1 ? ' An object that occurs in several batches is counted in each.' : ''
  await context.output.write(
    options.json ? jsonLine(sum) : `${previewText('Loading', objectType, sum)}${twice}\n`,
  )
}
