import type { Command } from 'commander'

export interface Candidate {
  readonly word: string
  readonly meaning: string
}

/** A command and what may follow it. */
export interface CompletionPlace {
  /** The words of the command: `token create`; empty for the program itself. */
  readonly path: string
  readonly commands: readonly Candidate[]
  readonly options: readonly Candidate[]
  /** Options with a fixed set of values. */
  readonly choices: readonly { readonly option: string; readonly values: readonly string[] }[]
}

/** Every command of the program, each with its options and those of the program, which are valid everywhere. */
export function completionPlaces(program: Command): readonly CompletionPlace[] {
  const globalOptions = program.options
  const placesOf = (command: Command, path: string): readonly CompletionPlace[] => {
    const options = [...new Set([...command.options, ...globalOptions])].filter(({ hidden }) => !hidden)
    const here: CompletionPlace = {
      path,
      commands: command.commands.map((each) => ({ word: each.name(), meaning: each.summary() })),
      options: [
        ...options.map(({ long, short, description }) => ({
          word: long ?? short ?? '',
          meaning: description,
        })),
        { word: '--help', meaning: 'show the help' },
      ],
      choices: options.flatMap(({ long, argChoices }) =>
        long === undefined || argChoices === undefined ? [] : [{ option: long, values: argChoices }],
      ),
    }
    return [here, ...command.commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`.trim()))]
  }
  return placesOf(program, '')
}

/** The transitions: which command each further word leads to. */
export const steps = (places: readonly CompletionPlace[]) =>
  places.flatMap(({ path, commands }) =>
    commands.map(({ word }) => ({ from: path, word, to: `${path} ${word}`.trim() })),
  )
