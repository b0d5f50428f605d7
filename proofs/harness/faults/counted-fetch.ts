// `fetch` that knows how many requests are in flight: a fault that affects no request proves nothing.

export interface CountedFetch {
  readonly fetch: typeof globalThis.fetch
  readonly underWay: () => number
  readonly answered: () => number
}

export function countedFetch(): CountedFetch {
  let underWay = 0
  let answered = 0
  return {
    underWay: () => underWay,
    answered: () => answered,
    fetch: async (...request) => {
      underWay += 1
      try {
        const response = await fetch(...request)
        // Read to its end here, so that a request counts as in flight until its whole body has arrived.
        const body = await response.arrayBuffer()
        answered += 1
        return new Response(body.byteLength === 0 ? null : body, response)
      } finally {
        underWay -= 1
      }
    },
  }
}
