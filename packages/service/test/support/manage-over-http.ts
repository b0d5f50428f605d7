// Writes as a client does: sends lines to /manage/v1, gets receipts and refusals.
import type { CommitPreview, CommitReceipt } from '@octavo/protocol'
import { answerOf } from './answer-of.ts'
import { refusalOf } from './error-answer.ts'
import type { PromisedService } from './serve-on-fresh-database.ts'
import { contentOf } from './walk-over-http.ts'

interface Written {
  readonly status: number
  readonly location: string | null
  readonly json: unknown
}

export interface BatchSending {
  /** Absent for a batch of several types. */
  readonly objectType?: string
  readonly key?: string
  readonly kind?: 'batches' | 'replace'
  readonly maxDeletions?: string
  /** How the body is compressed already. */
  readonly contentEncoding?: string
}

export const put = (properties: object, objectType?: string) => ({
  type: 'put',
  ...(objectType !== undefined && { objectType }),
  properties,
})

export const merge = (properties: object, objectType?: string) => ({
  ...put(properties, objectType),
  type: 'merge',
})

export const remove = (primaryKey: unknown, objectType?: string) => ({
  type: 'delete',
  ...(objectType !== undefined && { objectType }),
  primaryKey,
})

export function manageOverHttp(service: Pick<PromisedService, 'fetch' | 'ontology'>) {
  const base = () => `/manage/v1/ontologies/${service.ontology.rid}`

  const request = async (method: string, path: string, body?: unknown): Promise<Written> => {
    const response = await service.fetch(path.startsWith('/') ? path : `${base()}/${path}`, {
      method,
      ...(body !== undefined && {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })
    const text = await response.text()
    return {
      status: response.status,
      location: response.headers.get('location'),
      json: text === '' ? undefined : JSON.parse(text),
    }
  }

  const send = (
    body: NonNullable<RequestInit['body']>,
    { objectType, key, kind = 'batches', maxDeletions, contentEncoding }: BatchSending,
    { dryRun = false } = {},
  ) => {
    const query = new URLSearchParams({
      ...(maxDeletions !== undefined && { maxDeletions }),
      ...(dryRun && { dryRun: 'true' }),
    }).toString()
    const [method, resource] = kind === 'replace' ? ['PUT', 'objects'] : ['POST', 'batches']
    const path = `${base()}${objectType === undefined ? '' : `/objectTypes/${objectType}`}/${resource}`
    return answerOf(service, query === '' ? path : `${path}?${query}`, {
      method,
      body,
      // Node requires this for a stream as body; browsers support nothing else.
      ...(body instanceof ReadableStream && { duplex: 'half' }),
      headers: {
        'content-type': 'application/x-ndjson',
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(contentEncoding !== undefined && { 'content-encoding': contentEncoding }),
      },
    })
  }

  const text = (lines: readonly unknown[]): string =>
    lines.map((line) => `${JSON.stringify(line)}\n`).join('')

  return {
    get base() {
      return base()
    },
    request,
    send,
    /** Returns the receipt, or fails the test. */
    commit: async (lines: readonly unknown[], to: BatchSending): Promise<CommitReceipt> => {
      return contentOf<CommitReceipt>(send(text(lines), to))
    },
    /** What the lines would change. */
    preview: async (lines: readonly unknown[], to: BatchSending): Promise<CommitPreview> => {
      return contentOf<CommitPreview>(send(text(lines), to, { dryRun: true }))
    },
    refused: async (lines: readonly unknown[] | string, to: BatchSending) =>
      refusalOf(await send(typeof lines === 'string' ? lines : text(lines), to)),
  }
}
