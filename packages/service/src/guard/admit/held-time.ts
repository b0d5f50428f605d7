// How long each caller has held places lately, in milliseconds of places. Each place that is held adds one every millisecond, and the sum
// decays: a place that is held for ever comes to 10,000, and ten seconds after it was released 3,700 of them are left.

export interface HeldTime {
  readonly of: (subject: string) => number
  /** Changes the number of places that a caller holds from now on. */
  readonly change: (subject: string, places: number) => void
}

/** In this time the sum decays to 1/e, a little more than a third. */
const rememberedMs = 10_000
/** A caller with less than this can be forgotten. */
const leastMs = 0.1
/** With so many callers it is worth looking for some that can be forgotten. */
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
    change: (subject, places) => {
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
