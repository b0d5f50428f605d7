// The `octavo` command. Each command is registered by a function in its own file.
import { type Command, CommanderError, Help, Option } from 'commander'
import type { CommandContext } from './base/command-context.ts'
import { registerApply } from './commands/apply-command.ts'
import { registerBootstrap } from './commands/bootstrap-command.ts'
import { registerChanges } from './commands/changes-command.ts'
import { registerCompleteNames } from './commands/complete-names-command.ts'
import { registerCompletion } from './commands/completion-command.ts'
import { registerCount } from './commands/count-command.ts'
import { registerDelete } from './commands/delete-command.ts'
import { registerDemo } from './commands/demo-command.ts'
import { registerDescribe } from './commands/describe-command.ts'
import { registerDev } from './commands/dev-command.ts'
import { registerDoctor } from './commands/doctor-command.ts'
import { registerCheck } from './commands/check-command.ts'
import { registerGet } from './commands/get-command.ts'
import { registerLinks } from './commands/links-command.ts'
import { registerGrant } from './commands/grant-command.ts'
import { registerLogin } from './commands/login-command.ts'
import { registerInit } from './commands/init-command.ts'
import { registerList, registerSearch } from './commands/list-command.ts'
import { registerMigrate, registerServe } from './commands/serve-command.ts'
import { registerMcp } from './commands/mcp-command.ts'
import { registerOntology } from './commands/ontology-command.ts'
import { registerToken } from './commands/token-command.ts'
import { registerLoad } from './commands/load-command.ts'
import { registerExport } from './commands/export-command.ts'
import { registerProfile } from './commands/profile-command.ts'
import { registerReplace } from './commands/replace-command.ts'
import { registerSnapshot } from './commands/snapshot-command.ts'
import { registerSources } from './commands/sources-command.ts'
import { registerSync } from './commands/sync-command.ts'
import { registerStatus } from './commands/status-command.ts'
import { registerTypes } from './commands/types-command.ts'
import { registerVerify } from './commands/verify-command.ts'
import { exitCodeMeanings, type ExitCode, exitCodes } from './base/exit-codes.ts'
import { wrongUse } from './base/cli-error.ts'
import { failureOf, failureText } from './failure/failure.ts'
import { examples } from './output/help-texts.ts'
import { packageVersion } from './base/package-version.ts'
import { profilesPath } from './settings/profiles-file.ts'
import { settings, type Setting } from './settings/setting.ts'
import { UsageCommand } from './usage/usage-command.ts'
import { nameElsewhere } from './usage/name-elsewhere.ts'

type Register = (program: Command, context: CommandContext) => void

/** By the headings of the help, in its order. */
const commandGroups: Readonly<Record<string, readonly Register[]>> = {
  'Run:': [
    registerServe,
    registerMigrate,
    registerBootstrap,
    registerDev,
    registerDemo,
    registerStatus,
    registerDoctor,
    registerOntology,
  ],
  'Define:': [registerInit, registerApply, registerDescribe, registerTypes],
  'Load:': [registerLoad, registerReplace, registerDelete, registerCheck, registerSources],
  'Read:': [
    registerList,
    registerSearch,
    registerGet,
    registerLinks,
    registerCount,
    registerChanges,
    registerSnapshot,
    registerMcp,
  ],
  'Copy:': [registerExport, registerSync, registerVerify],
  'Access:': [registerLogin, registerProfile, registerToken, registerGrant],
  'Help:': [registerCompletion, registerCompleteNames],
}

export function buildProgram(context: CommandContext): Command {
  const program = new UsageCommand('octavo')
    .description('Run the Octavo object query service; declare types; load, export and view objects.')
    .configureHelp({
      showGlobalOptions: true,
      // The version belongs to the program, so the help of a command does not repeat it.
      visibleGlobalOptions(this: Help, command) {
        const options = Help.prototype.visibleGlobalOptions.call(this, command)
        return options.filter(({ long }) => long !== '--version')
      },
      minWidthToWrap: 20,
      subcommandTerm: (command) => command.name(),
    })
    .configureOutput({
      writeOut: (text) => void context.output.write(text),
      writeErr: (text) => context.output.note(text),
      getOutHelpWidth: () => Math.min(100, context.output.columns()),
      getErrHelpWidth: () => Math.min(100, context.output.columns()),
    })
    .exitOverride()
    .showHelpAfterError('(add --help for usage)')
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'show the help for a command')
    .helpOption('-h, --help', 'show this help')
    .version(packageVersion(), '--version', 'print the version of Octavo')
  for (const setting of Object.values(settings)) program.addOption(optionOf(setting))
  program
    .option('--json', 'print JSON, one value per line, instead of tables and sentences, also for errors')
    .option('--no-color', 'no colours; the default if NO_COLOR is set or there is no terminal')
  for (const [heading, registers] of Object.entries(commandGroups)) {
    program.commandsGroup(heading)
    for (const register of registers) register(program, context)
  }
  return program.addHelpText('after', rootHelp(context))
}

/** Runs the command given by the words, prints what went wrong, and returns the exit code. */
export async function runProgram(words: readonly string[], context: CommandContext): Promise<ExitCode> {
  const json = asksForJson(words)
  const { output } = context
  // A program that reads standard error finds the error there and nothing else.
  const quiet = json && !output.notesAreShown
  const program = buildProgram(quiet ? { ...context, output: { ...output, showsProgress: false } } : context)
  if (json) beQuiet(program)
  try {
    refuseTypeFirst(words, program)
    refuseNameElsewhere(words)
    await program.parseAsync(words, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    const failure = failureOf(error, context)
    const isSaid = error instanceof CommanderError && (!json || failure.exitCode === exitCodes.done)
    if (!isSaid) output.note(failureText(failure, { json }))
    return failure.exitCode
  }
}

/** `octavo flight list`: the other way round than every command has it. */
function refuseTypeFirst([first = '', second = '', ...others]: readonly string[], program: Command): void {
  const isCommand = (word: string) => program.commands.some((command) => command.name() === word)
  if (first.startsWith('-') || isCommand(first) || first === 'help' || !isCommand(second)) return
  throw wrongUse(`The command comes first. Did you mean: octavo ${[second, first, ...others].join(' ')}`)
}

/** `octavo import`: what other programs call it. Commander would suggest the most similar word, which may do the reverse. */
function refuseNameElsewhere([first = '', ...others]: readonly string[]): void {
  const ours = nameElsewhere[first]
  if (ours === undefined) return
  throw wrongUse(
    `There is no command ${first}. Did you mean: octavo ${[ours, ...others].join(' ')}\noctavo --help lists the commands.`,
  )
}

/** Also if the words are so wrong that they cannot be parsed. */
export function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? undefined : end).includes('--json')
}

/** Its sentences about wrong words are left to the caller. */
function beQuiet(command: Command): void {
  command.configureOutput({ writeErr: () => {} })
  for (const each of command.commands) beQuiet(each)
}

const optionOf = ({ flag, takes, sentence, variable }: Setting): Option =>
  new Option(`${flag} <${takes}>`, `${sentence} (${variable})`)

const rootHelp = (context: CommandContext): string => `${examples([
  ['try it out: a throwaway service with made-up objects', 'octavo demo'],
  ['declare types, load a file, look at it', 'octavo apply -f ontology.yaml'],
  ['', 'octavo load flight flights.csv'],
  ['', 'octavo list flight --limit 20'],
  ['see how to use a command', 'octavo load --help'],
])}
Settings:
  A flag overrides the environment, which overrides the profile. Profiles are in
  ${shownPath(context)}:
    default: local
    profiles:
      local:
        url: http://127.0.0.1:8080
        token: oct_...
        ontology: example
  If the file contains a token, nobody else may read it: chmod 600.

Exit codes:
${exitCodeMeanings.map(([code, meaning]) => `  ${String(code).padEnd(4)}${meaning}`).join('\n')}
`

/** Shown with `~`, so that the text is the same on every machine. */
const shownPath = ({ environment, homeFolder }: CommandContext): string =>
  profilesPath({ environment, homeFolder }).replace(homeFolder, '~')
