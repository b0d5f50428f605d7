#!/usr/bin/env node
import process from 'node:process'
import { runProgram } from './program.ts'

const { stdout, stderr } = process

process.exitCode = await runProgram(process.argv.slice(2), {
  write: (text) => stdout.write(text),
  writeError: (text) => stderr.write(text),
  // The escape sequence returns to the start of the line and clears it.
  ...(stderr.isTTY && { progress: (line: string) => stderr.write(`\r\u001B[K${line}`) }),
})
