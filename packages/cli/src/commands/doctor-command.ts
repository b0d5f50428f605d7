import process from 'node:process'
import type { Command } from 'commander'
import { databaseVariable, refusePassword } from '../access/refuse-password.ts'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { globalFlags, wantsJson } from '../connection/connect.ts'
import { checks } from '../doctor/checks.ts'
import type { Finding, Patient } from '../doctor/finding.ts'
import { examples } from '../output/help-texts.ts'
import { jsonLine } from '../output/printed-value.ts'
import { oneLine } from '../output/text-width.ts'
import { forService } from '../settings/for-service.ts'
import { knownSettings } from '../settings/read-settings.ts'

export function registerDoctor(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .summary('find problems of a deployment, and how to mend them')
    .description(
      'Checks Node, the service and the token. With a database, it also checks PostgreSQL, its settings, rights, migrations and standbys, and the options of the service in this environment. It changes nothing. The exit code is 1 if there is a problem.',
    )
    .option('--database-url <URL>', `also check this database (default: ${databaseVariable})`)
    .addHelpText(
      'after',
      examples([
        ['', 'octavo doctor'],
        ['with the options of the service', 'set -a; . ./octavo.env; set +a; octavo doctor'],
      ]),
    )
    .action(async ({ databaseUrl }: { readonly databaseUrl?: string }, command: Command) => {
      await refusePassword(databaseUrl)
      const patient = await patientOf(databaseUrl, command, context)
      const { output } = context
      let problems = 0
      for (const check of checks) {
        for (const finding of await check(patient)) {
          if (finding.state === 'problem') problems += 1
          await output.write(wantsJson(command) ? jsonLine(finding) : lineOf(finding, context))
        }
      }
      if (problems > 0) throw new CliError('')
    })
}

async function patientOf(
  asked: string | undefined,
  command: Command,
  context: CommandContext,
): Promise<Patient> {
  const { environment } = context
  const databaseUrl = asked ?? (environment[databaseVariable] || undefined)
  const known = {
    context,
    nodeVersion: process.versions.node,
    ...knownSettings(globalFlags(command), context),
  }
  if (databaseUrl === undefined) return known
  const { readOptions, serveOptions } = await import('@octavo/service')
  const read = readOptions(serveOptions, [], { ...forService(environment), [databaseVariable]: databaseUrl })
  return {
    ...known,
    databaseUrl,
    ...(read.kind === 'read' && { options: read.options }),
    ...(read.kind === 'refused' && { optionProblems: read.problems }),
  }
}

/** One line for each finding, which ends with the command that mends it. */
function lineOf({ check, state, text, mend }: Finding, { output: { style } }: CommandContext): string {
  const paint = { ok: style.good, warning: style.warning, problem: style.bad }[state]
  const line = `${paint(state.padEnd(8))}  ${check.padEnd(11)}  ${oneLine(text)}`
  return mend === undefined ? `${line}\n` : `${line} -> ${style.strong(mend)}\n`
}
