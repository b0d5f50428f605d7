// What every proof (`npm run prove:<name>`) shares: points that are shown one by one, and one closing line. `--point TEXT` shows the
// points whose sentence contains the text.
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'

export interface Proof {
  readonly short: boolean
  /** The values given for the proof's own options. */
  readonly given: Readonly<Record<string, unknown>>
  /** Prints a figure as soon as it is known. */
  readonly say: (line: string) => void
  /** Runs one point; a thrown error means that it was not shown. */
  readonly point: (sentence: string, show: () => Promise<string>) => Promise<void>
}

const say = (line: string): void => console.log(`   ${line}`)

export async function prove(
  name: string,
  body: (proof: Proof) => Promise<void>,
  own: ParseArgsOptionsConfig = {},
): Promise<never> {
  const { values } = parseArgs({
    options: { ...own, point: { type: 'string' }, short: { type: 'boolean', default: false } },
  })
  const { point: wanted, short } = values
  const startedAt = performance.now()
  let shown = 0
  const missed: string[] = []

  await body({
    short,
    given: values,
    say,
    point: async (sentence, show) => {
      if (wanted && !sentence.includes(wanted)) return
      console.log(`-- ${sentence}`)
      const began = performance.now()
      try {
        const what = await show()
        say(`shown: ${what} (${Math.round((performance.now() - began) / 1_000)} s)`)
        shown += 1
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        say(`NOT SHOWN: ${why}`)
        missed.push(`${sentence}: ${why}`)
      }
    },
  })

  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const length = short ? ', short' : ''
  if (wanted && shown + missed.length === 0) console.log(`No point of prove:${name} says "${wanted}".`)
  for (const one of missed) console.log(`NOT SHOWN: ${one}`)
  console.log(`prove:${name}${length}: ${shown} points shown, ${missed.length} not shown, in ${seconds} s`)
  process.exit(missed.length === 0 && shown > 0 ? 0 : 1)
}

export function expect(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}
