// A subscription socket as a client without any library would use it: what it sends is sent as it is, what comes is kept.
import type { StreamMessage } from '@octavo/protocol'
import { expect } from 'vitest'
import { WebSocket, type ClientOptions } from 'ws'
import type { PromisedService } from './serve-on-fresh-database.ts'
import type { TestService } from './start-test-service.ts'
import { testToken } from './test-access.ts'

type Message<Type extends StreamMessage['type']> = Extract<StreamMessage, { readonly type: Type }>

export interface SubscribedSocket {
  readonly ws: WebSocket
  readonly messages: readonly StreamMessage[]
  /** Sends the list, and returns the answer to it. */
  readonly subscribe: (...requests: readonly unknown[]) => Promise<Message<'subscribeResponses'>['responses']>
  /** Waits for a message that was not returned before. */
  readonly next: <Type extends StreamMessage['type']>(type: Type) => Promise<Message<Type>>
  /** The code and the reason with which the service has closed the connection. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

export interface SocketOptions {
  readonly token?: string
  readonly at?: Pick<TestService, 'url'>
  readonly client?: ClientOptions
  readonly ontology?: string
}

export const socketPath = (ontology: string): string =>
  `/api/v2/ontologySubscriptions/ontologies/${ontology}/streamSubscriptions`

export async function openSocket(
  service: Pick<PromisedService, 'url' | 'ontology'>,
  { token = testToken, at = service, client, ontology = service.ontology.rid }: SocketOptions = {},
): Promise<SubscribedSocket> {
  const ws = new WebSocket(at.url.replace('http', 'ws') + socketPath(ontology), [`Bearer-${token}`], client)
  const messages: StreamMessage[] = []
  const taken = new Set<StreamMessage>()
  ws.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())))
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  await new Promise<void>((resolve, reject) => {
    ws.on('open', () => resolve())
    ws.on('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => reject(new Error(`${response.statusCode} ${text}`)))
    })
    ws.on('error', reject)
  })
  const next = async <Type extends StreamMessage['type']>(type: Type): Promise<Message<Type>> => {
    const isNew = (message: StreamMessage): message is Message<Type> =>
      message.type === type && !taken.has(message)
    await expect.poll(() => messages.some(isNew), { timeout: 20_000, interval: 20 }).toBe(true)
    const found = messages.find(isNew)
    if (found === undefined) throw new Error(`no ${type}`)
    taken.add(found)
    return found
  }
  let sent = 0
  return {
    ws,
    messages,
    closed,
    next,
    subscribe: async (...requests) => {
      sent += 1
      ws.send(JSON.stringify({ id: `m${sent}`, requests }))
      const answer = await next('subscribeResponses')
      expect(answer.id).toBe(`m${sent}`)
      return answer.responses
    },
  }
}

export const requestFor = (objectType: string, more: object = {}): object => ({
  objectSet: { type: 'base', objectType },
  propertySet: ['rank'],
  referenceSet: [],
  objectLoadingResponseOptions: { shouldLoadObjectRids: true },
  ...more,
})

export const idIn = (response: Message<'subscribeResponses'>['responses'][number] | undefined): string => {
  if (response?.type !== 'success') throw new Error(`not subscribed: ${JSON.stringify(response)}`)
  return response.id
}

/** Runs the work until it has failed or the connection is closed, whatever messages came. */
export const refusalOfSocket = async (opening: Promise<SubscribedSocket>): Promise<string> =>
  opening.then(
    ({ ws }) => {
      ws.terminate()
      return 'opened'
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
