// A request that asks for a position of a source is served at once if the state that is read contains it. Otherwise it waits, if it may,
// and is served again.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invariant } from '../base/errors/invariant.ts'
import type { OntologyTarget } from '../catalog/find-object-type.ts'
import { BehindSource, type AfterPosition } from '../catalog/source-positions.ts'
import type { AskedPosition } from '../read/request/parse-after.ts'
import { behindSource, positionAskedFor, type SourcesService } from '../read/walk/position-asked-for.ts'
import { abortSignalOf, withoutHurry } from './abort-signal.ts'
import { callerOf } from './require-right.ts'

export interface PositionArrival {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly target: OntologyTarget
  readonly asked: AskedPosition
  /** Aborts when this instance stops. */
  readonly stopping: AbortSignal | undefined
}

/** `attempt` throws `BehindSource` if the state does not contain the position; it then holds nothing any more. */
export async function serveAfterPosition<Served>(
  service: SourcesService,
  { request, reply, target, asked, stopping }: PositionArrival,
  attempt: (after: AfterPosition) => Promise<Served>,
): Promise<Served> {
  invariant(stopping !== undefined, 'position-asked-for-without-an-end')
  const endsAt = performance.now() + asked.waitSeconds * 1_000
  const { subject } = callerOf(request)
  const after = await positionAskedFor(service, { caller: callerOf(request), target, asked })
  for (;;) {
    try {
      return await attempt(after)
    } catch (error) {
      if (!(error instanceof BehindSource)) throw error
      const milliseconds = endsAt - performance.now()
      if (milliseconds <= 0) throw await behindSource(service, error)
      await withoutHurry(reply.raw, () =>
        service.sources.wait(after, { subject, milliseconds, signal: abortSignalOf(reply), stopping }),
      )
      // Nothing is sent to a caller who has lost the right to it meanwhile (P121).
      await request.server.authorizeAgain(request)
    }
  }
}
