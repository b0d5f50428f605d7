// A context for tests of commands in this process: output is captured, and nothing depends on the machine.
import { Readable } from 'node:stream'
import type { CommandContext } from '../../src/base/command-context.ts'
import { makeStyle } from '../../src/output/style.ts'

export interface TestContext {
  readonly context: CommandContext
  readonly written: () => string
  readonly noted: () => string
}

export function testContext(parts: Partial<CommandContext> = {}): TestContext {
  let written = ''
  let noted = ''
  const context: CommandContext = {
    commandName: 'octavo',
    environment: {},
    homeFolder: '/home/ada',
    currentFolder: '/nowhere',
    input: { stream: Readable.from([]), isTerminal: false },
    output: {
      write: async (text) => {
        written += typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
      },
      note: (text) => {
        noted += text
      },
      isTerminal: false,
      notesAreShown: false,
      columns: () => 80,
      style: makeStyle({ colour: false }),
    },
    fetch: () => Promise.reject(new Error('there is no network in this test')),
    now: () => new Date('2026-02-03T04:05:06Z'),
    stopAsked: new AbortController().signal,
    ...parts,
  }
  return { context, written: () => written, noted: () => noted }
}
