import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify'
import { ServiceError } from '../base/errors/service-error.ts'

/**
 * A signal that aborts when the client disconnects before its answer is sent, so that no work is done for a client that is gone,
 * and when the request's time-out expires (P167).
 */
export function abortSignalOf(reply: FastifyReply, timeoutMs?: number): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) {
    // The client disconnected before this point, and no further event will be emitted.
    controller.abort()
    return controller.signal
  }
  const timeUp = () => controller.abort(new ServiceError('ScanTimedOut', {}))
  const timer = timeoutMs === undefined ? undefined : setTimeout(timeUp, timeoutMs).unref()
  // Listens on the response, not on the socket: a keep-alive connection would collect a listener for every request.
  reply.raw.on('close', () => {
    clearTimeout(timer)
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}

const works = new WeakMap<ServerResponse, Promise<unknown>>()

/** For `onRoute`: remembers what is being done for each response. */
export function rememberWork(route: RouteOptions): void {
  const { handler } = route
  route.handler = function (request, reply) {
    const work = handler.call(this, request, reply)
    if (work instanceof Promise) works.set(reply.raw, work)
    return work
  }
}

/**
 * Calls `release` when the response is closed and the work for it has ended: a statement is only cancelled once the database says so,
 * and has its connection until then. If nobody waits for the response any more, no event may come, and nothing is begun.
 */
export function releaseOnClose(reply: FastifyReply, signal: AbortSignal, release: () => void): void {
  if (signal.aborted) {
    release()
    return
  }
  reply.raw.on('close', () => {
    const work = works.get(reply.raw)
    if (work === undefined) release()
    else work.then(release, release)
  })
}

/** Aborts when the server stops: for answers that take long. */
export function stoppingOf(app: Pick<FastifyInstance, 'addHook'>): AbortSignal {
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())
  return stopping.signal
}

/**
 * Limits the time of each step of an answer (P167), and ends it when the client leaves. It listens to the response once, not once
 * for every step.
 */
export function eachInTime(
  { raw }: FastifyReply,
  timeoutMs: number,
): <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T> {
  let underWay: AbortController | undefined
  raw.on('close', () => underWay?.abort())
  return async (work) => {
    const controller = new AbortController()
    // If the client is gone already, no event comes.
    if (raw.destroyed) controller.abort()
    const timer = setTimeout(() => controller.abort(new ServiceError('ScanTimedOut', {})), timeoutMs).unref()
    underWay = controller
    try {
      return await work(controller.signal)
    } finally {
      clearTimeout(timer)
      underWay = undefined
    }
  }
}

/** While the service works or waits, the client has nothing to receive, and cannot be late. */
export async function withoutHurry<T>({ socket }: ServerResponse, work: () => Promise<T>): Promise<T> {
  /** How long the client may go without receiving any bytes. */
  const idleMs = socket?.timeout ?? 0
  socket?.setTimeout(0)
  try {
    return await work()
  } finally {
    socket?.setTimeout(idleMs)
  }
}
