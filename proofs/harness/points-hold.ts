// A point of a proof as a test: at its smallest size, it takes seconds and is tried with every change.
import { startProof, type Proof } from './prove.ts'

/** Shows the sentences that have this text, all by default, and counts them; rejects with what was not shown. */
export async function pointsHold(
  show: (proof: Proof) => Promise<unknown>,
  { sentence = '' }: { readonly sentence?: string } = {},
): Promise<number> {
  const printed: string[] = []
  const { proof, shown, missed } = startProof({
    short: true,
    print: (line) => printed.push(line),
    sentence,
  })
  await show(proof)
  if (missed.length > 0) throw new Error([...missed, ...printed].join('\n'))
  return shown()
}
