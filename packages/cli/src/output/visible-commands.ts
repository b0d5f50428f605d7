import type { Command } from 'commander'

/** The commands that the help shows, without `help` itself. The one that completion scripts call is not for people. */
export function visibleCommands(command: Command): readonly Command[] {
  const visible = command.createHelp().visibleCommands(command)
  return command.commands.filter((each) => visible.includes(each))
}
