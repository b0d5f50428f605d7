// What has arrived on a connection and is not answered yet, also of a message that is not whole yet.
import type { BytesOfCaller } from '../subscribe/caller-bytes.ts'

export interface Inbox {
  readonly arrived: (bytes: number) => void
  /** All connections of the caller together have sent too much. */
  readonly isFull: () => boolean
  /** A message is whole. Returns how much has arrived for it. */
  readonly message: () => number
  readonly answered: (bytes: number) => void
  /** A ping or a pong belongs to no message. */
  readonly control: (payload: Buffer) => void
  readonly end: () => void
}

/** RFC 6455, section 5.2: two bytes of header, and four of the mask. */
const controlBytes = 6

export function inboxOf(ofCaller: BytesOfCaller): Inbox {
  /** All that is not answered, and what of it belongs to a message that is not whole yet. */
  let kept = 0
  let unfinished = 0
  const keep = (bytes: number): void => {
    kept += bytes
    ofCaller.add(bytes)
  }
  let isOver = false
  return {
    arrived: (bytes) => {
      if (isOver) return
      unfinished += bytes
      keep(bytes)
    },
    isFull: ofCaller.isFull,
    message: () => {
      const bytes = unfinished
      unfinished = 0
      return bytes
    },
    answered: (bytes) => {
      if (!isOver) keep(-bytes)
    },
    control: ({ length }) => {
      const bytes = Math.min(unfinished, length + controlBytes)
      unfinished -= bytes
      keep(-bytes)
    },
    end: () => {
      if (isOver) return
      isOver = true
      keep(-kept)
    },
  }
}
