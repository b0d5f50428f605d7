/** Measures the stages of one request; their names are those of Server-Timing and of the metrics. */
export interface StageTimer {
  readonly time: <T>(stage: string, work: () => T) => T
  readonly milliseconds: () => Readonly<Record<string, number>>
  readonly header: () => string
}

export function stageTimer(): StageTimer {
  const stages = new Map<string, number>()
  const add = (stage: string, since: number) => {
    stages.set(stage, (stages.get(stage) ?? 0) + performance.now() - since)
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
    milliseconds: () => Object.fromEntries(stages),
    header: () => {
      let text = ''
      for (const [stage, milliseconds] of stages) {
        text += `${text === '' ? '' : ', '}${stage};dur=${inMicroseconds(milliseconds)}`
      }
      return text
    },
  }
}

const thousandths = Array.from({ length: 1_000 }, (_, i) => String(i).padStart(3, '0'))

/** Still in milliseconds, as the header has them. A fraction made into text each time is a hundredth of a page. */
function inMicroseconds(milliseconds: number): string {
  const microseconds = Math.round(milliseconds * 1_000)
  return `${Math.floor(microseconds / 1_000)}.${thousandths[microseconds % 1_000]}`
}
