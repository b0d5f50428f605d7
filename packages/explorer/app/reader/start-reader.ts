// A worker for one job. Ending the worker ends the job, whatever it is doing.
import type { ReaderFailure } from './messages.ts'

interface ReaderActs<Message> {
  readonly onMessage: (message: Message | ReaderFailure) => void
}

export function startReader<Message>(job: object, { onMessage }: ReaderActs<Message>): () => void {
  const worker = new Worker(new URL('../worker/reader-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<Message | ReaderFailure>) => onMessage(data))
  worker.addEventListener('error', ({ message }) =>
    onMessage({ kind: 'failed', name: 'Failure', sentence: message || 'The reader could not be started.' }),
  )
  worker.postMessage(job, [])
  return () => worker.terminate()
}
