import { spawn } from 'node:child_process'
import { endWithUs } from './end-with-us.ts'

export type Ended = { readonly code: number; readonly output: string }
export type Start = { readonly in: string; readonly env?: NodeJS.ProcessEnv }

/** Runs a program to its end; standard output and standard error are returned as one text. */
export const runToEnd = ([program = '', ...argv]: readonly string[], start: Start): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, argv, {
      cwd: start.in,
      env: start.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    endWithUs(child)
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })

export const lastLines = (text: string, count: number): string =>
  text.trim().split('\n').slice(-count).join('\n   | ')
