// What to type instead of words that commander refuses, where it only says that they are wrong.
import type { Command } from 'commander'
import { visibleCommands } from '../output/visible-commands.ts'

export function remedyFor(code: string | undefined, message: string, command: Command): string {
  switch (code) {
    case 'commander.unknownCommand':
      return `\nThe commands are ${visibleCommands(command)
        .map((each) => each.name())
        .join(', ')}.`
    case 'commander.unknownOption':
      if (message.includes('Did you mean')) return ''
      return `\nThe options of ${pathOf(command)} are ${optionsOf(command).join(', ')}.`
    case 'commander.missingArgument':
      return `\n${argumentsText(command)}`
    case 'commander.excessArguments':
      return `\n${argumentsText(command)}${insteadOfMore[command.name()] ?? ''} Put a value that has blanks in quotation marks.`
    default:
      return ''
  }
}

/** Where a user may have meant more than one word too many. */
const insteadOfMore: Readonly<Record<string, string | undefined>> = {
  count: ' To count for each value of a property, add --by PROPERTY.',
  export: ' To write to a file, add --out FILE.',
  get: ' To see several objects, use octavo list with --where.',
}

/** `octavo get takes TYPE (API name of the object type) and KEY (its primary key).` */
function argumentsText(command: Command): string {
  const taken = command.registeredArguments.map((each) => `${each.name()} (${each.description})`)
  return `${pathOf(command)} takes ${taken.length === 0 ? 'no arguments' : taken.join(' and ')}.`
}

const optionsOf = (command: Command): readonly string[] => {
  const help = command.createHelp()
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].map(
    ({ long, flags }) => long ?? flags,
  )
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
