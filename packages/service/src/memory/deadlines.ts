// Whatever has the same time as all others of its kind is looked at now and then, the oldest first. A timer for each costs a page
// some microseconds, and a page has several things that must not take for ever.

export interface Deadlines<T> {
  readonly add: (thing: T) => void
  /** It is done. */
  readonly delete: (thing: T) => void
}

/** In the time that a thing has: it may get so much of it more, and never less. */
const looks = 20

export function deadlines<T>(milliseconds: number, timeUp: (thing: T) => void): Deadlines<T> {
  /** From the oldest on: after how many looks each of them came. */
  const came = new Map<T, number>()
  let look = 0
  let timer: NodeJS.Timeout | undefined

  const lookAtOldest = (): void => {
    look += 1
    for (const [thing, after] of came) {
      if (look - after <= looks) break
      came.delete(thing)
      timeUp(thing)
    }
    if (came.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    add: (thing) => {
      came.set(thing, look)
      timer ??= setInterval(lookAtOldest, milliseconds / looks).unref()
    },
    delete: (thing) => void came.delete(thing),
  }
}
