// A real service with many employees, and the programs of examples/ run against it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { exampleEmployee, exampleObjects } from '@octavo/cli'
import { serveCommand, type ServedCommand } from '../../packages/cli/test/support/served-command.ts'

export const examplesFolder = join(import.meta.dirname, '../../examples')

/** Four pages, with values that are missing. */
export const employees = Array.from({ length: 3_500 }, (_, i) => {
  const like = exampleObjects[i % exampleObjects.length] as (typeof exampleObjects)[number]
  return { ...like, employeeId: i + 1, ...(i % 5 === 0 && { startedOn: undefined }) }
}).map((object) => JSON.parse(JSON.stringify(object)) as Readonly<Record<string, unknown>>)

export interface ServedExamples extends ServedCommand {
  readonly load: (type: string, objects: readonly object[]) => Promise<void>
  /** Runs a program in the working folder. */
  readonly runProgram: (
    program: string,
    words: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly code: number; readonly out: string; readonly err: string }>
}

export async function serveExamples(): Promise<ServedExamples> {
  const served = await serveCommand()
  const load = async (type: string, objects: readonly object[]): Promise<void> => {
    const lines = objects.map((object) => `${JSON.stringify(object)}\n`)
    writeFileSync(join(served.folder, `load-${type}.ndjson`), lines.join(''))
    const { code, err } = await served.run(['load', type, `load-${type}.ndjson`])
    if (code !== 0) throw new Error(err)
  }
  await served.declare(exampleEmployee)
  await load('employee', employees)
  return {
    ...served,
    load,
    runProgram: async (program, words, environment = {}) => {
      const child = spawn(program, words, {
        cwd: served.folder,
        env: { PATH: process.env['PATH'], HOME: served.folder, ...served.environment, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [out, err, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit') as Promise<[number]>,
      ])
      return { code, out, err: err.trim() }
    },
  }
}
