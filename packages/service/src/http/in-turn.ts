import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Admission, Reservation } from '../guard/admit/admission.ts'
import { abortSignalOf, releaseOnClose } from './abort-signal.ts'
import { callerOf } from './require-right.ts'

/** Reads on these routes wait for admission like a page (P197). Changes do not: they may take as long as they need. */
export const inTurn =
  (admission: Admission, routes: FastifyPluginAsyncTypebox): FastifyPluginAsyncTypebox =>
  async (app, options) => {
    const reservations = new WeakMap<object, Reservation>()
    app.addHook('preHandler', async (request, reply) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return
      const signal = abortSignalOf(reply)
      const reservation = await admission.reserve(callerOf(request).subject, signal)
      reservations.set(request, reservation)
      releaseOnClose(reply, signal, reservation.release)
    })
    app.addHook('onSend', (request, _reply, payload, done) => {
      reservations.get(request)?.keep(typeof payload === 'string' ? Buffer.byteLength(payload) : 0)
      done(null, payload)
    })
    await routes(app, options)
  }
