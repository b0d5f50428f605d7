// Open loop: requests are sent at fixed times, whatever happened to earlier ones, and each is timed from the moment at which
// it should have been sent. A client that waits for a slow answer before it sends the next request would leave out the
// waiting time of all other clients (coordinated omission).
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchRequest } from './ask-json.ts'

export interface OpenLoopOptions {
  readonly url: string
  readonly requests: readonly BenchRequest[]
  readonly perSecond: number
  readonly seconds: number
  /** The most requests in flight; further requests that are due wait here, and the waiting counts. */
  readonly connections: number
  /** Uses every connection in turn, instead of as few as possible. */
  readonly inTurn?: boolean
}

/** Milliseconds from the scheduled start of each request to the last byte of its page. */
export async function openLoop(options: OpenLoopOptions): Promise<readonly number[]> {
  const answers = await openLoopAnswers(options, new Set([200]))
  return answers.map(({ milliseconds }) => milliseconds)
}

export interface LoopAnswer {
  readonly status: number
  /** When its request should have been sent, in milliseconds after the first. */
  readonly dueAt: number
  readonly milliseconds: number
}

/** The same, but other answers than pages are expected as well. */
export async function openLoopAnswers(
  options: OpenLoopOptions,
  expected: ReadonlySet<number>,
): Promise<readonly LoopAnswer[]> {
  const { perSecond, seconds } = options
  const target = new URL(options.url)
  const messages = options.requests.map((request) => requestBytes(target.host, request))
  const free = await Promise.all(Array.from({ length: options.connections }, () => openConnection(target)))
  const all = [...free]
  const total = Math.round(perSecond * seconds)
  const answers: LoopAnswer[] = []
  const failures: Error[] = []
  const startedAt = performance.now() + 10
  const dueAt = (number: number) => startedAt + (number * 1_000) / perSecond
  let sent = 0

  const fail = (error: Error) => failures.push(error)
  const replaceBy = (use: (connection: Connection) => void) => {
    const replace = (connection: Connection) => {
      all.push(connection)
      use(connection)
    }
    void openConnection(target).then(replace, fail)
  }
  const send = (connection: Connection, message: Buffer, due: number): void =>
    connection.ask(message, (outcome) => {
      // Servers close idle connections, even while a request is on its way to them.
      if (outcome === 'closed' && all.length <= 2 * options.connections) {
        replaceBy((fresh) => send(fresh, message, due))
      } else if (typeof outcome === 'number' && expected.has(outcome)) {
        answers.push({ status: outcome, dueAt: due - startedAt, milliseconds: performance.now() - due })
        free.push(connection)
        sendWhatIsDue()
      } else {
        fail(outcome instanceof Error ? outcome : new Error(`A request has the outcome ${outcome}.`))
      }
    })
  const sendWhatIsDue = () => {
    while (sent < total && dueAt(sent) <= performance.now()) {
      const connection = options.inTurn ? free.shift() : free.pop()
      if (connection === undefined) return
      if (!connection.isOpen()) {
        replaceBy((fresh) => free.push(fresh))
        continue
      }
      // In steps far apart, so that consecutive requests do not read neighbouring pages.
      const message = messages[(sent * 101) % messages.length] ?? Buffer.alloc(0)
      send(connection, message, dueAt(sent))
      sent += 1
    }
  }
  while (answers.length + failures.length < total) {
    sendWhatIsDue()
    if (failures.length > 0) throw failures[0]
    if (performance.now() > dueAt(total) + 60_000) {
      throw new Error(`A minute after the last was due, ${answers.length} of ${total} requests are answered.`)
    }
    await sleep(1)
  }
  for (const { close } of all) close()
  if (failures[0] !== undefined) throw failures[0]
  return answers
}

export const requestBytes = (host: string, { method, path, headers, body = '' }: BenchRequest): Buffer => {
  const all = { host, ...headers, ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/** Called with the status of the answer, or why there is none: closed before its first byte, or another reason. */
type Answered = (outcome: number | 'closed' | Error) => void

interface Connection {
  readonly ask: (message: Buffer, answered: Answered) => void
  readonly isOpen: () => boolean
  readonly close: () => void
}

async function openConnection({ hostname, port }: URL): Promise<Connection> {
  const socket: Socket = connect(Number(port), hostname).setNoDelay(true)
  await once(socket, 'connect')
  let answered: Answered | undefined
  let head = ''
  /** Bytes of the body still to be received; undefined while the head is read. */
  let left: number | undefined
  let status = 0
  const finish: Answered = (outcome) => {
    const tell = answered
    answered = undefined
    head = ''
    left = undefined
    tell?.(outcome)
  }
  socket.on('data', (bytes) => {
    let body = bytes.length
    if (left === undefined) {
      head += bytes.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      if (length === undefined) {
        finish(new Error(`No answer with a length: ${head.slice(0, 300)}`))
        return
      }
      status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
      left = Number(length)
      body = head.length - end - 4
    }
    left -= body
    if (left === 0) finish(status)
  })
  const end = (error: Error) => finish(head === '' && left === undefined ? 'closed' : error)
  socket.on('error', end)
  socket.on('close', () => end(new Error('The service closed the connection.')))
  return {
    ask: (message, tell) => {
      answered = tell
      socket.write(message)
    },
    isOpen: () => socket.writable,
    close: () => socket.destroy(),
  }
}
