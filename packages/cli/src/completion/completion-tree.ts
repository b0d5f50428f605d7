import type { Command } from 'commander'
import { visibleCommands } from '../output/visible-commands.ts'
import type { NameKind } from './known-names.ts'

/** The hidden command that the scripts ask for names. */
export const completeNames = 'complete-names'

export interface Candidate {
  readonly word: string
  readonly meaning: string
}

/** A command and what may follow it. */
export interface CompletionNode {
  /** The words of the command: `token create`; empty for the program itself. */
  readonly path: string
  readonly commands: readonly Candidate[]
  readonly options: readonly Candidate[]
  /** Options with a fixed set of values. */
  readonly choices: readonly { readonly option: string; readonly values: readonly string[] }[]
  /** Options whose values are names that have to be asked for. */
  readonly namesAfter: readonly { readonly option: string; readonly kind: NameKind }[]
  /** What the first argument names, if it has to be asked for. */
  readonly argument: NameKind | undefined
}

const kindOfOption: Readonly<Record<string, NameKind>> = {
  '--ontology': 'ontologies',
  '--profile': 'profiles',
  '--order-by': 'properties',
  '--columns': 'properties',
}

const kindOfArgument = (path: string, argument: string | undefined): NameKind | undefined => {
  if (argument === 'TYPE' || argument === 'TYPES') return 'types'
  if (argument === 'ONTOLOGY') return 'ontologies'
  return path.startsWith('profile ') && argument === 'NAME' ? 'profiles' : undefined
}

/** Every command of the program, each with its options and those of the program, which are valid everywhere. */
export function completionNodes(program: Command): readonly CompletionNode[] {
  const globalOptions = program.options
  const nodesOf = (command: Command, path: string): readonly CompletionNode[] => {
    const options = [...new Set([...command.options, ...globalOptions])].filter(({ hidden }) => !hidden)
    const commands = visibleCommands(command)
    const here: CompletionNode = {
      path,
      commands: commands.map((each) => ({ word: each.name(), meaning: each.summary() })),
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
      namesAfter: options.flatMap(({ long }) => {
        const kind = kindOfOption[long ?? '']
        return long === undefined || kind === undefined ? [] : [{ option: long, kind }]
      }),
      argument: kindOfArgument(path, command.registeredArguments[0]?.name()),
    }
    return [here, ...commands.flatMap((each) => nodesOf(each, `${path} ${each.name()}`.trim()))]
  }
  return nodesOf(program, '')
}

/** The transitions: which command each further word leads to. */
export const steps = (nodes: readonly CompletionNode[]) =>
  nodes.flatMap(({ path, commands }) =>
    commands.map(({ word }) => ({ from: path, word, to: `${path} ${word}`.trim() })),
  )
