import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { exitCodes } from '../base/exit-codes.ts'

interface Question {
  readonly text: string
  /** For secrets: the typed characters are not shown. */
  readonly hidden?: boolean
}

const keys = { interrupt: '\u0003', end: '\u0004', clear: '\u0015' }
const enters: ReadonlySet<string> = new Set(['\r', '\n'])
const erases: ReadonlySet<string> = new Set(['\b', '\u007F'])
/** A terminal sends these around pasted text. */
const pastes = ['\u001B[200~', '\u001B[201~'] as const

/** Asks on the terminal and returns the line that the user types. The terminal must not echo, so this does. */
export async function typedLine(
  { input, output }: Pick<CommandContext, 'input' | 'output'>,
  { text, hidden = false }: Question,
): Promise<string> {
  const { stream } = input
  const setRaw = (raw: boolean): void => {
    if ('setRawMode' in stream && typeof stream.setRawMode === 'function') stream.setRawMode(raw)
  }
  // First of all, because a terminal shows what is pasted before this.
  setRaw(true)
  output.note(text)
  let line: readonly string[] = []
  const show = (shown: string): void => {
    if (!hidden) output.note(shown)
  }
  /** Returns true at the end of the line. */
  const take = (key: string): boolean => {
    if (enters.has(key)) return true
    if (key === keys.interrupt || (key === keys.end && line.length === 0)) {
      throw new CliError('', exitCodes.interrupted)
    }
    if (erases.has(key)) {
      if (line.length > 0) show('\b \b')
      line = line.slice(0, -1)
    } else if (key === keys.clear) {
      show('\b \b'.repeat(line.length))
      line = []
    } else if (key >= ' ') {
      line = [...line, key]
      show(key)
    }
    return false
  }
  try {
    await eachChunk(stream, (chunk) => {
      const typed = Array.from(pastes.reduce((text, paste) => text.replaceAll(paste, ''), chunk))
      const end = typed.findIndex(take)
      return end === -1 ? undefined : typed.slice(end + 1).join('')
    })
    return line.join('').trim()
  } finally {
    setRaw(false)
    output.note('\n')
  }
}

/** Reads until `take` returns what was not used of the last chunk; that is left for the next reader. */
function eachChunk(
  stream: NodeJS.ReadableStream,
  take: (chunk: string) => string | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (end: () => void) => {
      stream.off('data', onData).off('end', onEnd).off('error', onError)
      stream.pause()
      end()
    }
    const onData = (chunk: Buffer | string): void => {
      try {
        const rest = take(String(chunk))
        if (rest === undefined) return
        finish(resolve)
        if (rest !== '') stream.unshift(rest)
      } catch (error) {
        finish(() => reject(error))
      }
    }
    const onEnd = (): void => finish(resolve)
    const onError = (error: Error): void => finish(() => reject(error))
    stream.on('data', onData).once('end', onEnd).once('error', onError)
    stream.resume()
  })
}
