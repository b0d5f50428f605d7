/** Measures the stages of one request; their names are those of Server-Timing and of the metrics. */
export interface StageTimer {
  readonly time: <T>(stage: string, work: () => T) => T
  readonly milliseconds: () => Readonly<Record<string, number>>
  readonly header: () => string
}

export function stageTimer(): StageTimer {
  const stages: Record<string, number> = {}
  const add = (stage: string, since: number) => {
    stages[stage] = (stages[stage] ?? 0) + performance.now() - since
  }
  return {
    time: (stage, work) => {
      const since = performance.now()
      const result = work()
      if (!(result instanceof Promise)) {
        add(stage, since)
        return result
      }
      // Not finally, which makes several promises: this is done a few times for every page.
      return result.then(
        (value: unknown) => {
          add(stage, since)
          return value
        },
        (error: unknown) => {
          add(stage, since)
          throw error
        },
      ) as typeof result
    },
    milliseconds: () => stages,
    header: () => {
      let text = ''
      for (const [stage, milliseconds] of Object.entries(stages)) {
        text += `${text === '' ? '' : ', '}${stage};dur=${inMicroseconds(milliseconds)}`
      }
      return text
    },
  }
}

/** Still in milliseconds, as the header has them, but no finer; faster than `toFixed`. */
const inMicroseconds = (milliseconds: number): number => Math.round(milliseconds * 1_000) / 1_000
