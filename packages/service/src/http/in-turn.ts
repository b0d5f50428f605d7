import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Admission, Reservation } from '../admit/admission.ts'
import { whenThere } from '../memory/soon.ts'
import { goneSignal } from './gone-signal.ts'
import { callerOf } from './require-right.ts'

/** What these routes read waits for its turn like a page (P197). What they change does not: it may take as long as it needs. */
export const inTurn =
  (admission: Admission, routes: FastifyPluginAsyncTypebox): FastifyPluginAsyncTypebox =>
  async (app, options) => {
    const reservations = new WeakMap<object, Reservation>()
    app.addHook('preHandler', (request, reply, goOn) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        goOn()
        return
      }
      const begin = (): void => {
        const signal = goneSignal(reply)
        const waiting = whenThere(admission.reserve(callerOf(request).subject, signal), (reservation) => {
          reservations.set(request, reservation)
          if (signal.aborted) reservation.release()
          else reply.raw.on('close', reservation.release)
          goOn()
        })
        if (waiting instanceof Promise) waiting.catch(goOn)
      }
      try {
        begin()
      } catch (error) {
        goOn(error as Error)
      }
    })
    app.addHook('onSend', (request, _reply, payload, done) => {
      reservations.get(request)?.keep(typeof payload === 'string' ? Buffer.byteLength(payload) : 0)
      done(null, payload)
    })
    await routes(app, options)
  }
