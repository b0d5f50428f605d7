// Messages to the web socket: each is answered in the declared shape, or the connection is closed for a reason that blames the client.
import type { Chance } from '../chances.ts'
import type { Findings } from './findings.ts'
import type { Queries } from './queries.ts'
import type { Setting } from './setting.ts'
import type { Values } from './values.ts'

/** Not text, not such a message, too many, too large, or ended by the client. */
const rightCloses = new Set([1000, 1003, 1005, 1007, 1008, 1009])
const messagesPerConnection = 5
const connectionsAtOnce = 8
const answerMs = 30_000

interface Making {
  readonly chance: Chance
  readonly values: Values
  readonly queries: Queries
}

export async function sendMessages(
  { service, token }: Setting,
  many: number,
  making: Making,
  found: Findings,
): Promise<void> {
  const path = '/api/v2/ontologySubscriptions/ontologies/one/streamSubscriptions'
  const url = `${service.url.replace('http', 'ws')}${path}`
  let begun = 0
  await Promise.all(
    Array.from({ length: connectionsAtOnce }, async () => {
      while (begun < many) {
        begun += messagesPerConnection
        await converse(new WebSocket(url, [`Bearer-${token}`]), messagesPerConnection, making, found)
      }
    }),
  )
}

/** Sends a message after the answer to the one before, until the connection is closed. */
async function converse(socket: WebSocket, times: number, making: Making, found: Findings): Promise<void> {
  const { count, problem } = found
  let left = times
  let last = ''
  const closed = Promise.withResolvers<number>()
  const patience = setTimeout(() => {
    problem('web socket: no answer in time', last)
    socket.close()
  }, answerMs)
  const sendNext = (): void => {
    if (left === 0) return socket.close(1000)
    left -= 1
    const message = messageByChance(making)
    last = String(message).slice(0, 600)
    count('messages')
    socket.send(message)
  }
  socket.addEventListener('open', sendNext)
  socket.addEventListener('message', ({ data }) => {
    const text = String(data)
    if (!text.includes('"subscribeResponses"')) return
    const wrong = wrongIn(text)
    if (wrong !== undefined) problem(`web socket: ${wrong}`, `${last} => ${text.slice(0, 600)}`)
    count(`messages answered${text.includes('"success"') ? ' with a subscription' : ''}`)
    sendNext()
  })
  socket.addEventListener('close', ({ code }) => closed.resolve(code))
  socket.addEventListener('error', () => {})
  const code = await closed.promise
  clearTimeout(patience)
  count(`web sockets closed with ${code}`)
  if (!rightCloses.has(code)) problem(`web socket: closed with ${code}`, last)
}

function messageByChance({ chance, values, queries }: Making): string | Uint8Array<ArrayBuffer> {
  const { fraction, any, text } = values
  if (fraction(2)) return Uint8Array.from([1, 2, 3])
  if (fraction(4)) return chance.one(['', '{', 'null', '[]', text(), 'x'.repeat((1 << 20) + 1)])
  const request = (): unknown =>
    fraction(95)
      ? {
          objectSet: queries.objectSet(),
          propertySet: fraction(80) ? [queries.field()] : any(),
          referenceSet: fraction(95) ? [] : any(),
          ...(fraction(10) && { objectLoadingResponseOptions: any() }),
        }
      : any()
  const requests = Array.from({ length: chance.below(fraction(3) ? 120 : 4) }, request)
  return JSON.stringify({ id: fraction(90) ? 'a' : any(), requests: fraction(96) ? requests : any() })
}

function wrongIn(text: string): string | undefined {
  if (/"Default:Internal"|"Internal"/.test(text)) return 'an internal error'
  if (/syntax error at|relation \\"|column \\"|pg_catalog/.test(text)) return 'an answer with SQL'
  const { responses } = JSON.parse(text) as { readonly responses?: readonly { readonly type: string }[] }
  const isRight = responses?.every(({ type }) => ['success', 'error', 'qos'].includes(type)) ?? false
  return isRight ? undefined : 'an answer of another shape'
}
