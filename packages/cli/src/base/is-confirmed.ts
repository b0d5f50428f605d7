import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { CommandContext } from './command-context.ts'

/**
 * Asks on the terminal. An empty answer means the default, which is shown as a capital letter; the end of the input (Ctrl-D)
 * means no.
 */
export async function isConfirmed(
  { input, output, stopAsked }: CommandContext,
  question: string,
  { byDefault = false }: { readonly byDefault?: boolean } = {},
): Promise<boolean> {
  const lines = createInterface({ input: input.stream })
  // Without an answer the cursor is still in the line of the question.
  const ended = once(lines, 'close').then(() => undefined)
  try {
    output.note(`${question} ${byDefault ? '[Y/n]' : '[y/N]'} `)
    const answer = await Promise.race([lines.question('', { signal: stopAsked }), ended])
    if (answer === undefined) output.note('\n')
    return answer?.trim() === '' ? byDefault : /^y(es)?$/i.test(answer?.trim() ?? '')
  } catch (error) {
    output.note('\n')
    throw error
  } finally {
    lines.close()
  }
}
