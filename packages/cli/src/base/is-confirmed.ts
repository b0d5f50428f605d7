import { createInterface } from 'node:readline/promises'
import type { CommandContext } from './command-context.ts'

/** Asks on the terminal. An empty answer means the default, which is shown as a capital letter. */
export async function isConfirmed(
  { input, output, stopAsked }: CommandContext,
  question: string,
  { byDefault = false }: { readonly byDefault?: boolean } = {},
): Promise<boolean> {
  const lines = createInterface({ input: input.stream })
  try {
    output.note(`${question} ${byDefault ? '[Y/n]' : '[y/N]'} `)
    const answer = (await lines.question('', { signal: stopAsked })).trim()
    return answer === '' ? byDefault : /^y(es)?$/i.test(answer)
  } finally {
    lines.close()
  }
}
