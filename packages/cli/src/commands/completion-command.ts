import { Argument, type Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { completionScript, shells, type Shell } from '../completion/completion-script.ts'
import { examples } from '../output/help-texts.ts'

export function registerCompletion(program: Command, { output }: CommandContext): void {
  program
    .command('completion')
    .summary('print a completion script for your shell')
    .description(
      'Prints a script with which your shell completes commands and options, and the names of types, properties, ontologies and profiles.',
    )
    .configureHelp({ ...program.configureHelp(), showGlobalOptions: false })
    .addArgument(new Argument('<SHELL>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      examples([
        ['bash, in ~/.bashrc', 'source <(octavo completion bash)'],
        ['zsh, in a folder of $fpath', 'octavo completion zsh > ~/.zfunc/_octavo'],
        ['fish', 'octavo completion fish > ~/.config/fish/completions/octavo.fish'],
      ]),
    )
    .action((shell: Shell) => output.write(completionScript(program, shell)))
}
