// Ends connections whose clients are gone, do not read, or may not listen any more. One timer looks after all of them, so that their
// number costs nothing in between.
import { limits } from '@octavo/protocol'

export interface LookedAfter {
  /** When anything last came from the client, on the clock of `elapsed`. */
  readonly heardAt: () => number
  /** When its credentials were last checked. */
  readonly checkedAt: () => number
  readonly stuckSince: () => number | undefined
  readonly ping: () => void
  readonly check: () => void
  readonly terminate: () => void
}

const everyMs = 15_000
const silentMs = limits.subscription.silentSeconds * 1_000

export function lookAfterAll(elapsed: () => number): (one: LookedAfter) => () => void {
  const all = new Set<LookedAfter>()
  let timer: NodeJS.Timeout | undefined
  return (one) => {
    all.add(one)
    timer ??= setInterval(() => {
      for (const each of all) lookAfter(each, elapsed())
    }, everyMs).unref()
    return () => {
      all.delete(one)
      if (all.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}

export function lookAfter(one: LookedAfter, now: number): void {
  const silence = now - one.heardAt()
  const stuck = now - (one.stuckSince() ?? now)
  if (silence > silentMs || stuck > silentMs) {
    one.terminate()
    return
  }
  if (silence > silentMs / 2) one.ping()
  if (now - one.checkedAt() > silentMs / 2) one.check()
}
