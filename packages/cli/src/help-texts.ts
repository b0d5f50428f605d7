import { Readable } from 'node:stream'
import type { Command } from 'commander'
import type { CommandContext } from './base/command-context.ts'
import { makeStyle } from './output/style.ts'
import { visibleCommands } from './output/visible-commands.ts'
import { buildProgram } from './program.ts'

export interface HelpText {
  /** The words of the command; empty for the program itself. */
  readonly name: string
  readonly text: string
}

/** The help of the program and of each command, rendered for 80 columns, the same on every machine. */
export function helpTexts(): readonly HelpText[] {
  let written = ''
  const context: CommandContext = {
    commandName: 'octavo',
    environment: {},
    homeFolder: '/home/you',
    currentFolder: '/home/you',
    input: { stream: Readable.from([]), isTerminal: false },
    output: {
      write: async (text) => {
        written += String(text)
      },
      note: () => {},
      isTerminal: false,
      notesAreShown: false,
      columns: () => 80,
      style: makeStyle({ colour: false }),
    },
    fetch: () => Promise.reject(new Error('Help asks nobody.')),
    now: () => new Date(0),
    stopAsked: new AbortController().signal,
  }
  const textsOf = (command: Command, name: string): readonly HelpText[] => {
    written = ''
    command.outputHelp()
    const here = { name, text: written }
    return [
      here,
      ...visibleCommands(command).flatMap((each) => textsOf(each, `${name} ${each.name()}`.trim())),
    ]
  }
  return textsOf(buildProgram(context), '')
}
