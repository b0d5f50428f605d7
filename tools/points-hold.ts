// A point of a proof as a test: at its smallest size, it takes seconds and is tried with every change.
import type { Proof } from './prove.ts'

/** Shows the points that have this text, all by default, and counts them; rejects with what was not shown. */
export async function pointsHold(
  show: (proof: Proof) => Promise<unknown>,
  { point = '' }: { readonly point?: string } = {},
): Promise<number> {
  const missed: string[] = []
  const said: string[] = []
  let shown = 0
  await show({
    short: true,
    given: {},
    say: (line) => said.push(line),
    point: async (sentence, showPoint) => {
      if (!sentence.includes(point)) return
      shown += 1
      try {
        await showPoint()
      } catch (error) {
        missed.push(`${sentence}: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
  })
  if (missed.length > 0) throw new Error([...missed, ...said].join('\n'))
  return shown
}
