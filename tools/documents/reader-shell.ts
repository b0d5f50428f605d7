// A shell in a terminal of 80 columns, in which a reader pastes one block after another.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable, Writable } from 'node:stream'

export interface ReaderShell {
  /** What the block prints on standard output. Throws if one of its commands fails. */
  readonly paste: (block: string) => Promise<string>
  /** Starts a command that runs until Ctrl-C, and returns its output once that matches. */
  readonly start: (command: string, until: RegExp) => Promise<string>
  /** Presses Ctrl-C if something was started, and leaves the shell. */
  readonly close: () => Promise<void>
}

interface ShellOptions {
  /** For what is pasted. */
  readonly scratch: string
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  /** The folder with the only programs that are found. */
  readonly programs: string
}

const done = '<<pasted>>'

// Standard error is no terminal, so that progress does not redraw its line. Nothing is typed while a command runs.
const loop = (errors: string, programs: string): string => `
stty cols 80 rows 24 -opost
export PATH='${programs}'
exec 2>'${errors}'
shopt -s expand_aliases
set -eu
while read -r pasted <&3; do
  source "$pasted" </dev/null 3<&-
  printf '%s' '${done}'
done
`

export function openShell({ scratch, folder, environment, programs }: ShellOptions): ReaderShell {
  const files = mkdtempSync(join(scratch, 'shell-'))
  const errors = join(files, 'errors')
  writeFileSync(join(files, 'loop'), loop(errors, programs))
  const words = [
    '--quiet',
    '--flush',
    '--return',
    '--command',
    `bash --norc ${join(files, 'loop')}`,
    '/dev/null',
  ]
  const child = spawn('script', words, {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  })
  const [stdin, stdout, , typed] = child.stdio as unknown as [Writable, Readable, null, Writable]
  let printed = ''
  let hasEnded = false
  stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const ended = new Promise<void>((resolve) => child.once('close', resolve)).then(() => (hasEnded = true))
  // A shell that has failed is noticed by its output.
  typed.on('error', () => {})
  stdin.on('error', () => {})

  let pasted = 0
  const type = (text: string): void => {
    const file = join(files, `block-${(pasted += 1)}`)
    writeFileSync(file, text)
    printed = ''
    typed.write(`${file}\n`)
  }
  const printedUntil = async (isThere: () => boolean): Promise<void> => {
    const deadline = Date.now() + 170_000
    while (!isThere()) {
      const said = `${printed}\n${readFileSync(errors, { encoding: 'utf8', flag: 'a+' })}`
      if (hasEnded) throw new Error(`failed:\n${said}`)
      if (Date.now() > deadline) throw new Error(`does not end:\n${said}`)
      await sleep(20)
    }
  }
  let isRunning = false
  return {
    paste: async (block) => {
      type(block)
      await printedUntil(() => printed.endsWith(done))
      return printed.slice(0, -done.length)
    },
    start: async (command, until) => {
      type(command)
      isRunning = true
      await printedUntil(() => until.test(printed))
      return printed
    },
    close: async () => {
      typed.end()
      if (isRunning) stdin.write('\u0003')
      await ended
    },
  }
}
