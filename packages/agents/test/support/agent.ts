// An agent as tests play it: the official client, and somebody who does exactly what the tools say.
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'

/** Clients of the protocol with sessions, and of the one without. */
export const eras = ['legacy', 'auto'] as const
export type Era = (typeof eras)[number]

export interface Agent {
  readonly client: Client
  /** The JSON of the answer of a tool that has worked. */
  readonly ask: (tool: string, given?: object) => Promise<Answer>
  /** The text of the answer of a tool that has failed. */
  readonly fail: (tool: string, given?: object) => Promise<string>
  /** Whatever a tool answers, as text. */
  readonly call: (
    tool: string,
    given?: object,
  ) => Promise<{ readonly text: string; readonly isError: boolean }>
  /** Everything that a tool has to say, by following "next" and nothing else. */
  readonly askAll: (tool: string, given: object, between?: () => Promise<void>) => Promise<readonly Answer[]>
  readonly close: () => Promise<void>
}

export type Answer = Readonly<Record<string, unknown>> & {
  readonly complete?: boolean
  readonly next?: object
  readonly bytes: number
}

export async function connectAgent(transport: Transport, mode: Era = 'legacy'): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  const call = async (name: string, given: object = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...given } })
    const [only, ...others] = content
    if (only?.type !== 'text' || others.length > 0) throw new Error(JSON.stringify(content))
    return { text: only.text, isError }
  }
  const ask = async (name: string, given?: object): Promise<Answer> => {
    const { text, isError } = await call(name, given)
    if (isError) throw new Error(text)
    return { ...JSON.parse(text), bytes: Buffer.byteLength(text) }
  }
  return {
    client,
    call,
    ask,
    fail: async (name, given) => {
      const { text, isError } = await call(name, given)
      if (!isError) throw new Error(`it did not fail: ${text.slice(0, 200)}`)
      return text
    },
    askAll: async (name, given, between) => {
      const answers = [await ask(name, given)]
      for (let next = answers[0]?.next; next !== undefined; next = answers.at(-1)?.next) {
        await between?.()
        answers.push(await ask(name, { ...given, ...next }))
      }
      return answers
    },
    close: () => client.close(),
  }
}

export const agentOverHttp = (url: string, token: string, mode?: Era): Promise<Agent> =>
  connectAgent(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: { token: async () => token } }),
    mode,
  )
