#!/usr/bin/env node
// The only file that touches the process: its arguments, environment, streams, signals and exit code.
import { homedir } from 'node:os'
import process from 'node:process'
import type { Output } from './output/output.ts'
import { makeStyle } from './output/style.ts'
import { commandName } from './base/command-name.ts'
import { exitCodes } from './base/exit-codes.ts'
import { fileErrorOf } from './base/file-error.ts'
import { failureOf, failureText } from './failure/failure.ts'
import { asksForJson, runProgram } from './program.ts'

const words = process.argv.slice(2)
const { stdin, stdout, stderr, env } = process

const stop = new AbortController()

const write = (text: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => stdout.write(text, () => resolve()))

const output: Output = {
  write,
  note: (text) => void stderr.write(text),
  isTerminal: stdout.isTTY,
  notesAreShown: stderr.isTTY,
  columns: () => stdout.columns || stderr.columns || 80,
  style: makeStyle({ colour: stdout.isTTY && !env['NO_COLOR'] && !words.includes('--no-color') }),
}

// The reader may close the pipe early: `octavo list flight | head`.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  const failure = failureOf(fileErrorOf(error, 'standard output') ?? error, {
    stopAsked: stop.signal,
    environment: env,
  })
  stderr.write(failureText(failure, { json: asksForJson(words) }))
  process.exit(failure.exitCode)
})
// Nobody reads standard error any more, which is no reason to stop the command.
stderr.on('error', () => {})

let codeOfSignal: number = exitCodes.interrupted
const askToStop = (signalCode: number) => () => {
  codeOfSignal = signalCode
  if (stop.signal.aborted) process.exit(signalCode)
  stop.abort()
}
process.on('SIGINT', askToStop(exitCodes.interrupted))
process.on('SIGTERM', askToStop(128 + 15))

const code = await runProgram(words, {
  commandName: commandName(env, import.meta.url),
  environment: env,
  homeFolder: homedir(),
  currentFolder: process.cwd(),
  output,
  input: { stream: stdin, isTerminal: stdin.isTTY },
  fetch: globalThis.fetch,
  now: () => new Date(),
  stopAsked: stop.signal,
})
// All output must be flushed before exiting; open handles (idle connections) must not delay the exit.
await write('')
process.exit(code === exitCodes.interrupted ? codeOfSignal : code)
