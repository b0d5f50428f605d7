// What was sent to a client and has not left this process yet. A client that does not read holds as much as this, and no more; nor do
// all the clients of one caller.
import { limits } from '@octavo/protocol'
import type { WebSocket } from 'ws'
import type { BytesOfCaller } from '../subscribe/caller-bytes.ts'

export interface Outbox {
  /** Sends the pieces as one message. */
  readonly send: (...pieces: readonly (string | Buffer)[]) => void
  readonly isFull: () => boolean
  /** Until it is not full, or the connection has ended. */
  readonly hasRoom: () => Promise<void>
  /** Since when the client has taken nothing of what waits for it; undefined if nothing waits. */
  readonly stuckSince: () => number | undefined
  readonly end: () => void
}

type Sending = Pick<WebSocket, 'send'>

export function outboxOf(socket: Sending, ofCaller: BytesOfCaller, elapsed: () => number): Outbox {
  let bytes = 0
  let movedAt = 0
  let isOver = false
  let waiting: (() => void)[] = []
  const isFull = (): boolean => !isOver && (bytes > limits.subscription.bytes || ofCaller.isFull())
  const letGo = (): void => {
    if (isFull()) return
    for (const go of waiting) go()
    waiting = []
  }
  const keep = (more: number): void => {
    bytes += more
    ofCaller.add(more)
  }
  const stop = ofCaller.onRoom(letGo)
  return {
    send: (...pieces) => {
      for (const [index, piece] of pieces.entries()) {
        const length = Buffer.byteLength(piece)
        if (bytes === 0) movedAt = elapsed()
        keep(length)
        socket.send(piece, { binary: false, fin: index === pieces.length - 1 }, () => {
          if (isOver) return
          keep(-length)
          movedAt = elapsed()
          letGo()
        })
      }
    },
    isFull,
    hasRoom: async () => {
      while (isFull()) await new Promise<void>((go) => waiting.push(go))
    },
    stuckSince: () => (bytes === 0 ? undefined : movedAt),
    end: () => {
      if (isOver) return
      isOver = true
      stop()
      keep(-bytes)
      letGo()
    },
  }
}
