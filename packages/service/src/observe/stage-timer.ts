/**
 * Measures the stages of one request. They follow each other, and the time between two of them counts as part of the second, so
 * the clock is read only once for each. Server-Timing and the metrics use the names of the stages.
 */
export interface StageTimer<Stage extends string = string> {
  readonly time: <T>(stage: Stage, work: () => T) => T
  readonly stages: StageTimes
  readonly header: () => string
}

/** The time of each stage in milliseconds, in the order of the stages. */
export type StageTimes = ReadonlyMap<string, number>

export function stageTimer(): StageTimer {
  const stages = new Map<string, number>()
  let since = performance.now()
  const end = (stage: string) => {
    const now = performance.now()
    stages.set(stage, (stages.get(stage) ?? 0) + now - since)
    since = now
  }
  return {
    time: (stage, work) => {
      const result = work()
      if (!(result instanceof Promise)) {
        end(stage)
        return result
      }
      // Not `finally`, which creates several promises: this runs a few times for every page.
      return result.then(
        (value: unknown) => {
          end(stage)
          return value
        },
        (error: unknown) => {
          end(stage)
          throw error
        },
      ) as typeof result
    },
    stages,
    header: () => {
      const parts = [...stages].map(([stage, milliseconds]) => `${stage};dur=${milliseconds.toFixed(3)}`)
      return parts.join(', ')
    },
  }
}
