import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../base/errors/service-error.ts'
import { routedMethods } from './allowed-methods.ts'
import { hasEmptySegment, withoutEmptySegments } from './empty-segments.ts'
import type { HttpServer } from './open-fastify.ts'

export interface UnknownPaths {
  /** The error for a path that has no route, or none for this method. */
  readonly refusal: (request: FastifyRequest) => ServiceError
  /** The router would take an empty segment for an empty name or key (P182). */
  readonly hasUnroutedSegment: (url: string) => boolean
}

/** Paths of the API family for what Octavo does not have (P337). */
const ofTheFamily =
  /^\/api\/v2\/ontologies\/(?:[^/?]+\/)?(actions|actionTypes|attachments|interfaces|interfaceTypes|queries|queryTypes|transactions|valueTypes|objectSets\/createTemporary|objectSets\/loadLinks)(?=[/?]|$)/

/** Refuses requests that no route handles. To be called before routes are added. */
export function refuseUnknownPaths(app: HttpServer): UnknownPaths {
  const methods = routedMethods()
  const refusal = ({ method, url }: FastifyRequest): ServiceError => {
    const allowedMethods = methods.of(url)
    if (allowedMethods.length > 0 && !allowedMethods.includes(method)) {
      return new ServiceError('MethodNotAllowed', { method, allowedMethods: [...allowedMethods] })
    }
    const [, feature] = ofTheFamily.exec(url) ?? []
    if (feature !== undefined) return new ServiceError('UnsupportedFeature', { feature })
    const meant = hasEmptySegment(url) ? withoutEmptySegments(url) : url
    return new ServiceError(
      'PathNotFound',
      meant !== url && methods.of(meant).length > 0 ? { didYouMean: [meant] } : {},
    )
  }
  app.addHook('onRoute', (route) => methods.add(route))
  app.setNotFoundHandler((request) => {
    throw refusal(request)
  })
  return { refusal, hasUnroutedSegment: (url) => hasEmptySegment(url) && methods.of(url).length === 0 }
}
