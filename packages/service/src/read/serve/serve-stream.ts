// Serves a whole walk as one answer: page after page, each one admitted, authorised and read like any other.
import type { PageTarget } from '../../catalog/find-object-type.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { AfterPosition } from '../../catalog/source-positions.ts'
import type { Reservation } from '../../guard/admit/admission.ts'
import { overloaded } from '../../guard/admit/shed.ts'
import { whenThereIsRoom } from '../../guard/admit/when-there-is-room.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import { stageTimer } from '../../observe/stage-timer.ts'
import { pageLine, writeLines } from '../page/write-lines.ts'
import type { PageRequest } from '../request/page-request.ts'
import type { PageService } from '../walk/page-service.ts'
import { servePage, type ServedPage } from './serve-page.ts'

export interface StreamArrival {
  readonly requestId: string
  readonly target: PageTarget
  readonly parse: () => PageRequest
  /** What the latest state has to contain. */
  readonly after?: AfterPosition | undefined
  /** Checks the caller again: to be called for every page (P121). */
  readonly caller: () => Promise<Caller>
  /** Runs the work of one page, with a signal that aborts when the client is gone or the time of the page is up. */
  readonly inTime: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>
  /** Aborts when this instance stops: the stream ends before its next page. */
  readonly stopping: AbortSignal
}

export interface StreamPage extends Omit<ServedPage, 'objects'> {
  /** Must be called once the page has been sent, or if it never will be: its share of the memory is then free. */
  readonly release: () => void
}

/** A client that was cut off elsewhere comes back at once; one second lets the others in first. */
const secondsAfterStop = 1

export async function* serveStream(service: PageService, arrival: StreamArrival): AsyncGenerator<StreamPage> {
  const request = arrival.parse()
  let { pageToken } = request
  let objects = 0
  for (let isFirst = true; ; isFirst = false) {
    if (!isFirst && arrival.stopping.aborted) throw overloaded('stopping', secondsAfterStop)
    const pageRequest = { ...request, pageToken }
    const page = await arrival.inTime((signal) => {
      const serve = () => serveLines(service, arrival, { request: pageRequest, objects, signal })
      // The first page is refused like any other: its client has nothing yet, and can ask again (P266).
      if (isFirst) return serve()
      return whenThereIsRoom(
        { milliseconds: service.requestTimeoutMs, signal, stopping: arrival.stopping },
        serve,
      )
    })
    objects += page.objects
    pageToken = page.nextPageToken
    yield page
    if (pageToken === undefined) return
  }
}

interface LinesAsked {
  readonly request: PageRequest
  /** The number of objects in the stream so far. */
  readonly objects: number
  readonly signal: AbortSignal
}

async function serveLines(
  service: PageService,
  { requestId, target, caller, after }: StreamArrival,
  { request, objects, signal }: LinesAsked,
): Promise<StreamPage & Pick<ServedPage, 'objects'>> {
  let reservation: Reservation | undefined
  const who = await caller()
  const endTurn = await service.streams.take(who.subject, signal)
  try {
    const page = await servePage(service, {
      requestId,
      caller: who,
      target,
      parse: () => request,
      after,
      signal,
      timer: stageTimer(),
      hold: (held) => {
        reservation = held
      },
      write: (rows, envelope) => writeLines(rows, envelope, objects),
    })
    return { ...page, release: () => reservation?.release() }
  } catch (error) {
    reservation?.release()
    // Nothing was found in the time of this page. A stream has more than one page's time, so it continues (P101).
    const token = tokenToContinue(error)
    if (token === undefined) throw error
    const body = Buffer.from(pageLine(token))
    return { body, objects: 0, nextPageToken: token, sent: () => {}, release: () => {} }
  } finally {
    endTurn()
  }
}

function tokenToContinue(error: unknown): string | undefined {
  if (!(error instanceof ServiceError)) return undefined
  const { parameters }: ServiceError = error
  return error.errorName === 'ScanTimedOut' && 'pageToken' in parameters ? parameters.pageToken : undefined
}
