// One request and its answer, as shown in the report.

export interface Sent {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** Includes the query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Exchange {
  readonly sent: Sent
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly body: unknown
}

/** Credentials never appear in a report: users paste it into issues and CI systems keep it. */
export const withoutCredentials = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, hidden(name.toLowerCase(), value)]),
  )

const hidden = (name: string, value: string): string => {
  if (name === 'authorization') return value.replace(/^(\S+\s+).+$/s, '$1***')
  // A web socket has the token there.
  return name === 'sec-websocket-protocol' ? 'Bearer-***' : value
}

export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
