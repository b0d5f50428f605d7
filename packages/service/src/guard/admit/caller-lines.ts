// Who is being served, who is waiting, and whose turn is next. Each caller has a line of its waiting requests. The next request comes from
// a caller with nothing at work if one waits, and among several callers from the one that has held places for the shortest time lately.
// When too many requests wait, the caller with the most under way loses its newest one. Under way are those at work and those that wait.
import { heldTime } from './held-time.ts'

export interface Waiter {
  readonly enter: () => void
  readonly refuse: () => void
}

export interface CallerLine {
  /** The number of requests that are being worked on. */
  readonly working: number
  /** The memory of bodies, and of pages that are being read or that their clients have not received yet. */
  readonly bytes: number
  /** In the order of arrival. */
  readonly waiting: ReadonlySet<Waiter>
}

export interface CallerLines {
  readonly waiting: () => number
  /** The number of callers that have requests at work or waiting. */
  readonly callers: () => number
  readonly of: (subject: string) => CallerLine
  /** The number of the caller's requests at work or waiting. */
  readonly underWay: (subject: string) => number
  /** Whether another caller has more requests at work or waiting. */
  readonly isAnotherLonger: (subject: string) => boolean
  readonly join: (subject: string, waiter: Waiter) => void
  readonly leave: (subject: string, waiter: Waiter) => void
  /** Takes the next waiter out of its line: the oldest one of the caller whose turn it is, among those who may enter. */
  readonly next: (mayEnter: (line: CallerLine) => boolean) => Waiter | undefined
  /**
   * The waiter that leaves a full queue for a new request of this caller: the newest one of the caller with the most requests, if that
   * is more than this caller will have.
   */
  readonly displaceableFor: (subject: string) => Waiter | undefined
  /** Changes the caller's number of requests at work and its memory. */
  readonly change: (subject: string, by: { readonly working: number; readonly bytes: number }) => void
}

interface Line {
  working: number
  bytes: number
  readonly waiting: Set<Waiter>
}

const nobody: CallerLine = { working: 0, bytes: 0, waiting: new Set() }

/** `elapsed` returns milliseconds on a monotonic clock. */
export function callerLines(elapsed: () => number): CallerLines {
  const lines = new Map<string, Line>()
  const held = heldTime(elapsed)
  // In the order of their turns: a caller that was served goes to the end.
  const withWaiting = new Map<string, Line>()
  let waiting = 0

  const lineOf = (subject: string): Line => {
    const known = lines.get(subject)
    if (known !== undefined) return known
    const line: Line = { working: 0, bytes: 0, waiting: new Set() }
    lines.set(subject, line)
    return line
  }
  // Only callers with requests at work or waiting have a line; the others are removed.
  const forgetIfIdle = (subject: string, line: Line): void => {
    if (line.working === 0 && line.bytes === 0 && line.waiting.size === 0) lines.delete(subject)
  }
  const takeOut = (subject: string, line: Line, waiter: Waiter): void => {
    if (!line.waiting.delete(waiter)) return
    waiting -= 1
    if (line.waiting.size === 0) withWaiting.delete(subject)
  }

  return {
    waiting: () => waiting,
    callers: () => lines.size,
    of: (subject) => lines.get(subject) ?? nobody,
    underWay: (subject) => underWay(lines.get(subject) ?? nobody),
    isAnotherLonger: (subject) => {
      const own = underWay(lines.get(subject) ?? nobody)
      for (const line of lines.values()) if (underWay(line) > own) return true
      return false
    },
    join: (subject, waiter) => {
      const line = lineOf(subject)
      line.waiting.add(waiter)
      waiting += 1
      if (line.waiting.size === 1) withWaiting.set(subject, line)
    },
    leave: (subject, waiter) => {
      const line = lines.get(subject)
      if (line === undefined) return
      takeOut(subject, line, waiter)
      forgetIfIdle(subject, line)
    },
    next: (mayEnter) => {
      let chosen: (Claim & { readonly subject: string; readonly line: Line }) | undefined
      for (const [subject, line] of withWaiting) {
        if (!mayEnter(line)) continue
        const claim = { holdsNone: line.working === 0, heldMs: held.of(subject) }
        if (chosen === undefined || goesBefore(claim, chosen)) chosen = { ...claim, subject, line }
      }
      if (chosen === undefined) return undefined
      const { subject, line } = chosen
      const [oldest] = line.waiting
      if (oldest === undefined) return undefined
      takeOut(subject, line, oldest)
      // To the end, unless it was its last waiter: then takeOut has removed the line.
      if (withWaiting.delete(subject)) withWaiting.set(subject, line)
      return oldest
    },
    displaceableFor: (subject) => {
      let longest: Line | undefined
      for (const line of withWaiting.values()) {
        if (longest === undefined || underWay(line) > underWay(longest)) longest = line
      }
      // Displacing a request of a caller that has as few would only move the refusal.
      const own = underWay(lines.get(subject) ?? nobody) + 1
      return longest === undefined || underWay(longest) <= own ? undefined : [...longest.waiting].at(-1)
    },
    change: (subject, { working, bytes }) => {
      const line = lineOf(subject)
      line.working += working
      held.change(subject, working)
      line.bytes += bytes
      forgetIfIdle(subject, line)
    },
  }
}

interface Claim {
  readonly holdsNone: boolean
  readonly heldMs: number
}

const goesBefore = (one: Claim, other: Claim): boolean =>
  one.holdsNone === other.holdsNone ? one.heldMs < other.heldMs : one.holdsNone

const underWay = ({ working, waiting }: CallerLine): number => working + waiting.size
