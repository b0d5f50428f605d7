import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../base/errors/service-error.ts'
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

interface RoutedMethods {
  readonly add: (route: { readonly url: string; readonly method: string | readonly string[] }) => void
  /** The methods that the endpoints of a path support; empty for a path that has none. */
  readonly of: (url: string) => readonly string[]
}

/** For the answer to a request with another method (P108): the router finds a handler, and does not list the other methods of a path. */
function routedMethods(): RoutedMethods {
  const methodsByPattern = new Map<string, Set<string>>()
  return {
    add: ({ url, method }) => {
      // The CORS plugin answers OPTIONS on every path; that does not make every path an endpoint.
      if (url === '*') return
      const methods = methodsByPattern.get(url) ?? new Set()
      for (const name of [method].flat()) methods.add(name)
      methodsByPattern.set(url, methods)
    },
    of: (url) => {
      const path = url.split('?', 1)[0] ?? ''
      const found = [...methodsByPattern].filter(([pattern]) => matches(pattern, path))
      return [...new Set(found.flatMap(([, methods]) => [...methods]))].toSorted()
    },
  }
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const segments = path.split('/')
  const fits = (name: string, i: number) =>
    name.startsWith(':') ? Boolean(segments[i]) : name === segments[i]
  if (wanted.at(-1) === '*') return wanted.slice(0, -1).every(fits)
  return wanted.length === segments.length && wanted.every(fits)
}

/** An absolute URL, as clients send it to a proxy, is left to the router. */
const hasEmptySegment = (url: string): boolean => url.startsWith('/') && /^[^?]*\/(?:\/|\?|$)/.test(url)

/** The path that was probably meant, without the query string. */
const withoutEmptySegments = (url: string): string =>
  `/${url.replace(/\?.*/s, '').split('/').filter(Boolean).join('/')}`
