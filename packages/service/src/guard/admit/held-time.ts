// How long each caller has held places recently: every place that is held adds to it, and what was held is forgotten by and by.

export interface HeldTime {
  /** The milliseconds of places that a caller has held, those of long ago counting less. */
  readonly of: (subject: string) => number
  /** Changes the number of places that a caller holds from now on. */
  readonly add: (subject: string, places: number) => void
}

/** What was held so long ago counts for a little more than a third. */
const rememberedMs = 10_000
/** Less than that is nothing to remember. */
const leastMs = 0.1
/** So many callers are remembered before those with nothing to remember are looked for. */
const fewCallers = 1_000

interface Held {
  readonly places: number
  readonly milliseconds: number
  readonly at: number
}

/** `elapsed` returns milliseconds on a monotonic clock. */
export function heldTime(elapsed: () => number): HeldTime {
  const bySubject = new Map<string, Held>()
  let forgetAt = fewCallers

  const untilNow = ({ places, milliseconds, at }: Held): number => {
    const left = Math.exp((at - elapsed()) / rememberedMs)
    return milliseconds * left + places * rememberedMs * (1 - left)
  }
  const forget = (): void => {
    if (bySubject.size < forgetAt) return
    for (const [subject, held] of bySubject) {
      if (held.places === 0 && untilNow(held) < leastMs) bySubject.delete(subject)
    }
    forgetAt = Math.max(fewCallers, 2 * bySubject.size)
  }
  const nothing = (): Held => ({ places: 0, milliseconds: 0, at: elapsed() })

  return {
    of: (subject) => untilNow(bySubject.get(subject) ?? nothing()),
    add: (subject, places) => {
      const before = bySubject.get(subject) ?? nothing()
      bySubject.set(subject, {
        places: before.places + places,
        milliseconds: untilNow(before),
        at: elapsed(),
      })
      forget()
    },
  }
}
