// What every proof (`npm run prove:<name>`) shares: points that are shown one by one, and one closing line.
import { parseArgs } from 'node:util'

export interface Proof {
  readonly short: boolean
  /** Prints a figure as it becomes known. */
  readonly say: (line: string) => void
  /** Runs one point; a thrown error means that it was not shown. */
  readonly point: (sentence: string, show: () => Promise<string>) => Promise<void>
}

const say = (line: string): void => console.log(`   ${line}`)

export async function prove(name: string, body: (proof: Proof) => Promise<void>): Promise<never> {
  const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
  const startedAt = performance.now()
  let shown = 0
  let missed = 0

  await body({
    short: values.short,
    say,
    point: async (sentence, show) => {
      console.log(`-- ${sentence}`)
      try {
        say(`shown: ${await show()}`)
        shown += 1
      } catch (error) {
        say(`NOT SHOWN: ${error instanceof Error ? error.message : String(error)}`)
        missed += 1
      }
    },
  })

  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const length = values.short ? ', short' : ''
  console.log(`prove:${name}${length}: ${shown} points shown, ${missed} not shown, in ${seconds} s`)
  process.exit(missed === 0 && shown > 0 ? 0 : 1)
}

export function expect(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}
