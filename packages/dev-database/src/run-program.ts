import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** The trimmed standard output of a short program, or undefined if the program is missing or fails. */
export async function runProgram(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await execute(program, [...args])
    return stdout.trim()
  } catch {
    return undefined
  }
}
