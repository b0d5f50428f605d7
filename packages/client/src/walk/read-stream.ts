// Reads the pages of a walk from one answer. When that is cut off, the next attempt continues after the last complete page,
// in the same snapshot; only whole pages are returned, so nothing is lost or repeated (P265).
import { answeredError, isErrorBody } from '../errors/answered-error.ts'
import { OctavoError } from '../errors/octavo-error.ts'
import { FailedAttempt } from '../transport/failed-attempt.ts'
import { openAnswer, type OpenAnswer } from '../transport/open-answer.ts'
import { untilAnswered } from '../transport/send-request.ts'
import type { Transport } from '../transport/transport.ts'
import { afterToken, checkPage, type Page } from './check-page.ts'
import type { PageWanted, ReadPage } from './read-page.ts'
import { pageRequest, type WalkRequest } from './walk-request.ts'
import { streamLines, type StreamLine, type StreamLines } from './stream-lines.ts'

/** A stream that is being read. */
interface Stream {
  readonly answer: OpenAnswer
  readonly lines: StreamLines
  /** Lines that have arrived and do not belong to a page that was returned. */
  waiting: readonly StreamLine[]
  /** The token of the page that comes next. */
  pageToken: string | undefined
  objects: number
}

/** Returns the function that reads the page at a position: mostly the next one of the stream that is open. */
export function streamReader<Item>(
  transport: Transport,
  walk: WalkRequest,
): (wanted: Pick<PageWanted, 'at' | 'signals'>) => Promise<ReadPage<Item>> {
  let open: Stream | undefined
  const drop = () => {
    open?.answer.close()
    open = undefined
  }
  return async ({ at, signals }) => {
    let from = at
    for (;;) {
      const { pageToken } = from
      const page = await untilAnswered(transport, signals, async (token) => {
        if (open?.pageToken !== pageToken || open?.answer.isClosed()) drop()
        try {
          open ??= await begin(transport, walk, { pageToken, token, signals })
          return await nextPage<Item>(open)
        } catch (error) {
          drop()
          throw error
        }
      })
      // Nothing was found in the time of a page; the line says where to continue (P266).
      if (page.data.length === 0 && page.nextPageToken) {
        from = afterToken(walk, from, page.nextPageToken)
        continue
      }
      if (page.nextPageToken === undefined) drop()
      return { page, next: checkPage(walk, from, page) }
    }
  }
}

async function begin(
  transport: Transport,
  walk: WalkRequest,
  { pageToken, ...sent }: { pageToken: string | undefined; token: string; signals: PageWanted['signals'] },
): Promise<Stream> {
  const answer = await openAnswer(transport, pageRequest(walk, pageToken), sent)
  return { answer, lines: streamLines(transport.url), waiting: [], pageToken, objects: 0 }
}

/** All objects up to the next line that is none, as a page. */
async function nextPage<Item>(stream: Stream): Promise<Page<Item>> {
  const records: unknown[] = []
  for (;;) {
    const at = stream.waiting.findIndex((line) => line?.['type'] !== 'object')
    for (const line of at < 0 ? stream.waiting : stream.waiting.slice(0, at)) records.push(line['object'])
    const last = stream.waiting[at]
    stream.waiting = at < 0 ? [] : stream.waiting.slice(at + 1)
    if (last !== undefined) return pageOf<Item>(stream, records, last)
    stream.waiting = stream.lines.take(await stream.answer.read())
  }
}

function pageOf<Item>(stream: Stream, records: readonly unknown[], last: StreamLine): Page<Item> {
  const data = records as readonly Item[]
  stream.objects += records.length
  const { type, ...facts } = last
  if (type === 'page') {
    // Without a token it would look like the last page.
    const { nextPageToken = '' } = facts as { readonly nextPageToken?: string }
    stream.pageToken = nextPageToken
    return { data, nextPageToken }
  }
  if (isErrorBody(last)) throw failure(last)
  if (type !== 'end') {
    throw new OctavoError({
      errorName: 'UnreadableAnswer',
      parameters: { status: 200, start: JSON.stringify(last).slice(0, 80) },
      sentence: `A line of the stream has the type ${JSON.stringify(type)}, which this version of the client does not know; to pass over it could lose objects. Use a newer version of the client.`,
    })
  }
  if (facts['objectCount'] === stream.objects) return { data, ...facts }
  throw new OctavoError({
    errorName: 'IncompleteWalk',
    parameters: { expected: String(facts['objectCount']), received: stream.objects },
    sentence: `The stream had ${stream.objects} objects, but its last line says ${String(facts['objectCount'])}. Something between this client and the service lost or repeated a line. Start the walk again.`,
  })
}

/** What the status would have been, if the answer had not begun: it decides whether another attempt can help. */
const statuses: Readonly<Record<string, number>> = {
  UNAUTHORIZED: 401,
  TOO_MANY_REQUESTS: 429,
  SERVICE_UNAVAILABLE: 503,
}

function failure(line: Parameters<typeof answeredError>[1]): FailedAttempt {
  const { errorCode = '', errorName, parameters } = line
  const error = answeredError(statuses[errorCode] ?? 200, line)
  return new FailedAttempt(error, {
    retryable: error.status === 429 || error.status === 503 || errorName === 'ScanTimedOut',
    afterSeconds: Number(parameters?.['retryAfterSeconds'] ?? 0),
  })
}
