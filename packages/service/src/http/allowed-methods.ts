// Which methods a path supports, for the answer to a request with another method (P108). The router finds a handler for a method
// and a path; it does not list the other methods of the path.

export interface RoutedMethods {
  readonly add: (route: { readonly url: string; readonly method: string | readonly string[] }) => void
  /** Empty for a path that no endpoint has. */
  readonly of: (url: string) => readonly string[]
}

export function routedMethods(): RoutedMethods {
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
  const given = path.split('/')
  if (wanted.at(-1) === '*') return wanted.slice(0, -1).every((segment, i) => fits(segment, given[i]))
  return wanted.length === given.length && wanted.every((segment, i) => fits(segment, given[i]))
}

const fits = (segment: string, given: string | undefined): boolean =>
  segment.startsWith(':') ? given !== undefined && given !== '' : segment === given
