// Runs in a worker, under a separate content security policy that allows WebAssembly: the client verifies checksums with it.
import { OctavoError } from '@octavo/client'
import { runExport } from '../export/run-export.ts'
import { runWalks } from '../walk/run-walks.ts'
import type { ExportJob, ReaderFailure, WalkJob } from '../reader/messages.ts'

const run = async (job: ExportJob | WalkJob): Promise<void> => {
  try {
    if (job.kind === 'export') await runExport(job, (message) => postMessage(message))
    else await runWalks(job, (message) => postMessage(message))
  } catch (error) {
    const failure: ReaderFailure = {
      kind: 'failed',
      name: error instanceof OctavoError ? error.errorName : 'Failure',
      sentence: error instanceof Error ? error.message : String(error),
    }
    postMessage(failure)
  }
}

addEventListener('message', ({ data }: MessageEvent<ExportJob | WalkJob>) => void run(data))
