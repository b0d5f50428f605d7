// The tools send requests to Octavo's HTTP interface in the name of the caller. The server of the tools provides the function that
// sends them, so grants, policies, limits and the audit hold for a tool as for any other client.

export interface OctavoRequest {
  /** Built with `requestPath`. */
  readonly path: string
  /** JSON, sent with POST. A request without it is a GET. */
  readonly body?: string
}

export interface OctavoAnswer {
  readonly status: number
  /** The JSON of the answer, parsed. */
  readonly body: unknown
}

/** Throws only if there is no answer; the message is then shown to the agent. */
export type AskOctavo = (request: OctavoRequest, signal: AbortSignal) => Promise<OctavoAnswer>
