// How many bytes an instance keeps for all connections of one caller: however many it has, they do not fill the memory.

export interface BytesOfCaller {
  readonly add: (bytes: number) => void
  readonly isFull: () => boolean
  /** Calls this whenever there is room again; returns the function that ends that. */
  readonly onRoom: (call: () => void) => () => void
}

interface Kept {
  bytes: number
  readonly calls: Set<() => void>
}

export function callerBytes(most: number): (subject: string) => BytesOfCaller {
  const all = new Map<string, Kept>()
  const keptFor = (subject: string): Kept => {
    const kept = all.get(subject) ?? { bytes: 0, calls: new Set() }
    all.set(subject, kept)
    return kept
  }
  return (subject) => {
    const forgetIfEmpty = (kept: Kept): void => {
      if (kept.bytes === 0 && kept.calls.size === 0) all.delete(subject)
    }
    const isFull = (): boolean => (all.get(subject)?.bytes ?? 0) > most
    return {
      isFull,
      add: (bytes) => {
        const kept = keptFor(subject)
        const wasFull = isFull()
        kept.bytes += bytes
        if (wasFull && !isFull()) for (const call of kept.calls) call()
        forgetIfEmpty(kept)
      },
      onRoom: (call) => {
        const kept = keptFor(subject)
        kept.calls.add(call)
        return () => {
          kept.calls.delete(call)
          forgetIfEmpty(kept)
        }
      },
    }
  }
}
