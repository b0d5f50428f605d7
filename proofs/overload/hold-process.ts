import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestBytes } from '../harness/open-loop.ts'
import type { HoldOrder, HoldReport, SlowReaders } from './hold-order.ts'

/** How many connections are opened at once: a client that opens all of them in one moment is not tested here. */
const atOnce = 50

process.once('message', (order: HoldOrder) => void hold(order).then((report) => process.send?.(report)))
// Ends with the parent, however that ends.
process.once('disconnect', () => process.exit())

async function hold({ url, idle, slow }: HoldOrder): Promise<HoldReport> {
  const target = new URL(url)
  const live = requestBytes(target.host, { method: 'GET', path: '/health/live', headers: {} })
  let idling = 0
  await inTurns(idle, async () => {
    const socket = await open(target)
    socket.write(live)
    await once(socket, 'data')
    idling += 1
    socket.on('close', () => (idling -= 1))
  })
  const groups: HoldReport['slow'][number][] = []
  for (const readers of slow) groups.push(await readSlowly(target, readers))
  return { idle: idling, slow: groups }
}

async function readSlowly(target: URL, { request, count, tries }: SlowReaders) {
  const message = requestBytes(target.host, request)
  let reading = 0
  await inTurns(count, async () => {
    const socket = await open(target)
    for (let tried = 0; tried < tries; tried += 1) {
      socket.write(message)
      const [first] = (await once(socket, 'data')) as [Buffer]
      const status = first.toString('latin1', 9, 12)
      if (status === '200') {
        reading += 1
        takePieceByPiece(socket)
        return
      }
      if (status !== '503') throw new Error(`An answer has the status ${status}.`)
      await sleep(200)
    }
  })
  return { reading, refused: count - reading }
}

/** Reads a piece per second: a slower client would be taken for disconnected. */
function takePieceByPiece(socket: Socket): void {
  socket.pause()
  socket.on('data', () => socket.pause())
  setInterval(() => socket.resume(), 1_000)
}

async function open({ port, hostname }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function inTurns(count: number, work: () => Promise<void>): Promise<void> {
  let left = count
  const next = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, next))
}
