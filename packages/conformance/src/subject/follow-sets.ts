// Follows object sets over a web socket, as a client does: a list of requests, the ids of their subscriptions, and hints that name them.
import { streamMessageSchema, type StreamMessage } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Collection } from '../exchange/collection.ts'
import type { Connection } from '../exchange/sockets.ts'
import { getRequest } from './page-request.ts'
import type { Subject } from './subject.ts'
import { isMissing } from './take-snapshot.ts'
import { isObject } from './wire-page.ts'

export type Hint = Exclude<StreamMessage, { readonly type: 'subscribeResponses' }>
type Answer = Extract<StreamMessage, { readonly type: 'subscribeResponses' }>

export interface Following {
  readonly protocol: string
  /** Sends the list, and returns the answer to each of its requests. */
  readonly answers: (...requests: readonly object[]) => Promise<Answer['responses']>
  /** Sends the list, in which nothing may be refused, and returns the id of each subscription. */
  readonly ids: (...requests: readonly object[]) => Promise<readonly string[]>
  /** The next hint. */
  readonly hint: () => Promise<Hint>
  readonly exchange: () => Exchange
}

const subscriptionsPath = ({ ontology }: Collection): string =>
  `/api/v2/ontologySubscriptions/ontologies/${encodeURIComponent(ontology)}/streamSubscriptions`

/** As clients send it. */
export const followRequest = (objectSet: object, propertySet: readonly string[]): object => ({
  objectSet,
  propertySet,
  referenceSet: [],
  objectLoadingResponseOptions: { shouldLoadObjectRids: true },
})

/** A server tells of a change soon, but promises no time. */
const patience = 20_000

export async function following(
  subject: Subject,
  clause: string,
  work: (following: Following) => Promise<void>,
): Promise<void> {
  const { collection, sockets } = subject
  await requireSubscriptions(subject)
  const answered = await askForSocket(subject)
  demand(answered.status === 101, { clause: 'P360', expected: 'a web socket', exchange: answered })
  const connection = await sockets.open(subscriptionsPath(collection))
  demand(connection !== undefined, {
    clause: 'P360',
    expected: 'an answer with which a client opens a web socket, with the protocol that it asked for',
    exchange: answered,
  })
  try {
    await work(followingOver(connection, clause))
  } finally {
    connection.close()
  }
}

/** Skips the case if the server has no subscriptions, which are optional. What it answers to a request without a web socket. */
export async function requireSubscriptions({ collection, send }: Subject): Promise<Exchange> {
  const exchange = await send(getRequest(subscriptionsPath(collection)))
  if (isMissing(exchange)) skip(`needs subscriptions: the server does not know GET ${exchange.sent.path}`)
  return exchange
}

/**
 * What the server answers to the request for a web socket. Skips the case if the server cannot have seen such a request: a proxy may
 * refuse it, or pass it on as a plain one. That says nothing about the server.
 */
export async function askForSocket(
  { collection, sockets }: Subject,
  options?: Parameters<Subject['sockets']['ask']>[1],
): Promise<Exchange> {
  if (!sockets.canSendToken) skip('needs a token of the characters that the name of a protocol may have')
  const exchange = await sockets.ask(subscriptionsPath(collection), options)
  if (exchange === undefined || !isFromServer(exchange))
    skip(
      `needs a way to the server for web sockets: the request for one was answered ${exchange === undefined ? 'with nothing' : `${exchange.status} by something else, or arrived as a plain one`}`,
    )
  return exchange
}

function isFromServer({ status, body }: Exchange): boolean {
  if (status === 101) return true
  const { errorName, parameters } = isObject(body) ? body : {}
  const isPlain =
    errorName === 'InvalidParameterValue' && isObject(parameters) && parameters['parameterId'] === 'Upgrade'
  return typeof errorName === 'string' && !isPlain
}

const isMessage = Compile(streamMessageSchema)
const clauseOf: Readonly<Record<string, string>> = { objectSetChanged: 'P362', refreshObjectSet: 'P363' }

function followingOver({ protocol, send, next, exchange }: Connection, clause: string): Following {
  const hints: Hint[] = []
  const given = new Set<string>()
  let sent = 0

  const read = async (expected: string): Promise<StreamMessage> => {
    const message = await next(patience)
    demand(message !== undefined, {
      clause,
      expected,
      found: `nothing within ${patience / 1_000} seconds, or the connection was closed`,
      exchange: exchange(),
    })
    const type = isObject(message) ? message['type'] : undefined
    demand(isMessage.Check(message), {
      clause: clauseOf[String(type)] ?? 'P361',
      expected: 'a message of a known type, in its shape',
      found: shown(message),
      exchange: exchange(),
    })
    return message
  }

  const keep = (hint: Hint): void => {
    demand(given.has(hint.id), {
      clause: clauseOf[hint.type] ?? 'P361',
      expected: `${hint.type} with the id of a subscription: ${[...given].join(', ') || 'there is none'}`,
      found: shown(hint.id),
      exchange: exchange(),
    })
    hints.push(hint)
  }

  const answers: Following['answers'] = async (...requests) => {
    sent += 1
    const id = `octavo-conformance-${sent}`
    send({ id, requests })
    for (;;) {
      const message = await read('subscribeResponses')
      if (message.type === 'subscribeResponses') {
        const { responses } = message
        demand(message.id === id && responses.length === requests.length, {
          clause: 'P361',
          expected: `subscribeResponses with the id ${id} of the message, and ${requests.length} responses`,
          found: `the id ${shown(message.id)}, and ${responses.length} responses`,
          exchange: exchange(),
        })
        for (const response of responses) if (response.type === 'success') given.add(response.id)
        if (responses.some(({ type }) => type === 'qos'))
          skip('needs room for subscriptions: the server asks to connect again')
        return responses
      }
      keep(message)
    }
  }

  return {
    protocol,
    exchange,
    answers,
    ids: async (...requests) =>
      (await answers(...requests)).map((response) => {
        demand(response.type === 'success', {
          clause: 'P361',
          expected: 'success for every request',
          found: shown(response),
          exchange: exchange(),
        })
        return response.id
      }),
    hint: async () => {
      while (hints.length === 0) {
        const message = await read('a message about the change')
        demand(message.type !== 'subscribeResponses', {
          clause: 'P361',
          expected: 'one answer to each message',
          exchange: exchange(),
        })
        keep(message)
      }
      const [hint] = hints.splice(0, 1)
      return hint ?? skip('there is no hint')
    },
  }
}
