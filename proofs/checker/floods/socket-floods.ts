// Messages and subscriptions over web sockets.
import { setTimeout as sleep } from 'node:timers/promises'
import { asking } from '../access/serve.ts'
import type { Flood } from './flood.ts'
import { openRawSocket, type RawSocket } from './open-raw-socket.ts'
import { keyOf, type Flooded } from './types.ts'

const perConnection = 100
const everyMs = 100

const message = (requests: readonly unknown[]): string => JSON.stringify({ id: 'i', requests })

const setOf = (number: number): object => ({
  objectSet: {
    type: 'filter',
    objectSet: { type: 'base', objectType: 'small' },
    where: { type: 'eq', field: 'n', value: number },
  },
  propertySet: ['peer'],
})

const everything = { objectSet: { type: 'base', objectType: 'small' }, propertySet: ['n', 'peer', 'many'] }

const list = <T>(count: number, item: (number: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => item(i))

async function open(flooded: Flooded, count: number, reads = true): Promise<readonly RawSocket[]> {
  const sockets: RawSocket[] = []
  for (let i = 0; i < count; i += 1) sockets.push(await openRawSocket(flooded, reads))
  return sockets
}

/** Sends again and again, as often as is allowed, as soon as the last message was taken. */
function sendAgain(sockets: readonly RawSocket[], text: (nth: number, time: number) => string): void {
  let time = 0
  setInterval(() => {
    time += 1
    for (const [nth, socket] of sockets.entries()) if (socket.isTaken()) socket.send(text(nth, time))
  }, everyMs)
}

/** One commit after another, five a second at most. */
async function commitAgain(flooded: Flooded, objects: number): Promise<void> {
  const write = asking(flooded, flooded.tokens.writing)
  for (let time = 0; ; time += 1) {
    const lines = list(objects, (i) =>
      JSON.stringify({
        type: 'put',
        properties: { id: keyOf(i), n: i, peer: `${time}`, many: list(40, (nth) => `${time} ${nth}`) },
      }),
    )
    await write({
      method: 'POST',
      path: `/manage/v1/ontologies/${flooded.rid}/objectTypes/small/batches`,
      body: lines.join('\n'),
    }).catch(() => {})
    await sleep(200)
  }
}

const follow = (sockets: readonly RawSocket[], requestsOf: (nth: number) => readonly unknown[]): void => {
  for (const [nth, { send }] of sockets.entries()) send(message(requestsOf(nth)))
}

export const socketFloods = {
  'bad-messages': async (flooded) => {
    const most = `{"id":"i","requests":[${'1,'.repeat(500_000)}1]}`
    sendAgain(await open(flooded, 50), () => most)
  },
  'new-subscriptions': async (flooded) => {
    sendAgain(await open(flooded, 50), (nth, time) =>
      message(list(perConnection, (i) => setOf(time * 10_007 + nth * perConnection + i))),
    )
  },
  subscriptions: async (flooded) => {
    const sockets = await open(flooded, 200)
    follow(sockets, (nth) => list(perConnection, (i) => setOf(nth * perConnection + i)))
    void commitAgain(flooded, 1)
  },
  'large-messages': async (flooded) => {
    const large = JSON.stringify({ id: 'i', requests: ['x'.repeat(1_000_000)] })
    sendAgain(await open(flooded, 500), () => large)
  },
  'unread-answers': async (flooded) => {
    const wrong = list(perConnection, (i) => ({ ...setOf(i), propertySet: [`${i}${'\\'.repeat(2_000)}`] }))
    sendAgain(await open(flooded, 500, false), () => message(wrong))
  },
  'unread-changes': async (flooded) => {
    follow(await open(flooded, 500, false), (nth) => [setOf(nth), ...list(3, () => everything)])
    void commitAgain(flooded, 100)
  },
} satisfies Readonly<Record<string, Flood>>
