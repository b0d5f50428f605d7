// A failover and a restore each start a new timeline: the last changes of the old one may be lost, and their numbers are
// assigned again. Every new connection reports which timeline it leads to.

export interface TimelineWatch {
  readonly saw: (timeline: string) => void
  readonly onChange: (listener: () => void) => void
}

export function timelineWatch(): TimelineWatch {
  const listeners: (() => void)[] = []
  let last: string | undefined
  return {
    saw: (timeline) => {
      const isNew = last !== undefined && last !== timeline
      last = timeline
      if (isNew) for (const listener of listeners) listener()
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
