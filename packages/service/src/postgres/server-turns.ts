// Decides which of several servers new connections go to: one until it fails, then the next.

export interface ServerTurns {
  readonly count: number
  readonly current: () => string
  /**
   * Reports that this server failed. Only the first report moves on to the next: the others tried the same server at the same
   * time.
   */
  readonly leave: (url: string) => void
}

export function serverTurns(urls: readonly string[]): ServerTurns {
  let place = 0
  const current = () => urls[place] ?? ''
  return {
    count: urls.length,
    current,
    leave: (url) => {
      if (url === current()) place = (place + 1) % urls.length
    },
  }
}
