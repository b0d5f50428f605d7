import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { Soon } from '../memory/soon.ts'

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void

/** A hook that goes on at once where nothing has to be waited for; what it throws answers the request. */
export const hook =
  (work: (request: FastifyRequest) => Soon<void>): Hook =>
  (request, _reply, goOn) => {
    let working: Soon<void>
    try {
      working = work(request)
    } catch (error) {
      goOn(error as Error)
      return
    }
    if (working instanceof Promise) working.then(() => goOn(), goOn)
    else goOn()
  }
