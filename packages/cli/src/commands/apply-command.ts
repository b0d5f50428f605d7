import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { definitionText } from '../definitions/definition-text.ts'
import { linkedFirst } from '../definitions/linked-first.ts'
import { aboutFile } from '../base/file-error.ts'
import { isConfirmed } from '../base/is-confirmed.ts'
import { connect, wantsJson } from '../connection/connect.ts'
import type { Connection } from '../connection/connection.ts'
import { problemText, refusedDefinition } from '../definitions/definition-problem.ts'
import { describeChange } from '../definitions/describe-change.ts'
import {
  planDefinitions,
  putObjectType,
  putOntology,
  type Outcome,
  type Plan,
  type PlannedChange,
} from '../definitions/plan-definitions.ts'
import type { ReadDefinition } from '../definitions/read-definition-file.ts'
import { examples } from '../output/help-texts.ts'
import { amountText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'

interface ApplyOptions {
  readonly file: readonly string[]
  readonly dryRun?: boolean
  readonly yes?: boolean
}

export function registerApply(program: Command, context: CommandContext): void {
  const { output } = context
  program
    .command('apply')
    .summary('declare ontologies and object types from a file')
    .description(
      'Declares an ontology and its object types from a definition file, in YAML or JSON. Shows what will change and, in a terminal, asks for confirmation. A change that would lose data is refused. Types that the file does not name stay as they are.',
    )
    .requiredOption('-f, --file <FILE...>', 'definition files; - is standard input')
    .option('--dry-run', 'only show what would change')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      examples([
        ['see what it would change', 'octavo apply -f ontology.yaml --dry-run'],
        ['apply it, in a script', 'octavo apply -f ontology.yaml --yes'],
      ]),
    )
    .action(async (options: ApplyOptions, command: Command) => {
      const files = await readFiles(options.file, context)
      const connection = connect(command, context)
      const plan = await planDefinitions(connection, files)
      const changing = plan.changes.filter(({ outcome }) => outcome !== 'unchanged')
      const json = wantsJson(command)
      if (json && options.dryRun) await output.write(plan.changes.map(jsonLine).join(''))
      if (!json) await output.write(planText(plan, context))
      if (plan.problems.length > 0) {
        throw new CliError(`${plan.problems.map(problemText).join('\n')}\nNothing was changed.`)
      }
      if (options.dryRun) return
      if (changing.length > 0 && !(options.yes ?? !context.input.isTerminal)) {
        if (!(await isConfirmed(context, 'Apply these changes?'))) throw new CliError('Nothing was changed.')
      }
      const applied = changing.length > 0 ? await applyAll(connection, files) : plan.changes
      if (json) return output.write(applied.map(jsonLine).join(''))
      return output.write(
        changing.length === 0
          ? 'Nothing to change.\n'
          : `Applied ${amountText(changing.length, 'change')}. See octavo status for what is being prepared in the background.\n`,
      )
    })
}

async function readFiles(
  names: readonly string[],
  context: CommandContext,
): Promise<readonly ReadDefinition[]> {
  const { readDefinitionFile } = await import('../definitions/read-definition-file.ts')
  const read = []
  for (const name of names)
    read.push(readDefinitionFile(name, definitionText(name, await bytesOf(name, context))))
  const problems = read.flatMap((file) => (file.kind === 'refused' ? file.problems : []))
  if (problems.length > 0) throw refusedDefinition(problems)
  return read.filter((file) => file.kind === 'read')
}

async function bytesOf(name: string, { currentFolder, input }: CommandContext): Promise<Buffer> {
  if (name === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of input.stream) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
  }
  return aboutFile(name, () => readFile(resolve(currentFolder, name)))
}

const signs = { created: '+', updated: '~', unchanged: '=' } as const satisfies Record<Outcome, string>

function planText({ changes }: Plan, { output: { style } }: CommandContext): string {
  const paint = { created: style.good, updated: style.warning, unchanged: style.faint } as const
  const lineOf = ({ kind, apiName, outcome }: PlannedChange, change?: string): string =>
    `${paint[outcome](`${signs[outcome]} ${kind} ${apiName}${change === undefined ? '' : `: ${change}`}`)}\n`
  return changes
    .flatMap((planned) =>
      planned.outcome === 'updated' && planned.changes.length > 0
        ? planned.changes.map((change) => lineOf(planned, describeChange(change)))
        : [lineOf(planned)],
    )
    .join('')
}

async function applyAll(
  connection: Connection,
  files: readonly ReadDefinition[],
): Promise<readonly PlannedChange[]> {
  const applied: PlannedChange[] = []
  for (const { content } of files) {
    const { ontology, objectTypes = [] } = content
    const answer = await putOntology(connection, ontology, { dryRun: false })
    applied.push({ kind: 'ontology', apiName: ontology.apiName, ...answer })
    for (const definition of linkedFirst(objectTypes)) {
      const made = await putObjectType(connection, answer.rid ?? '', definition, { dryRun: false })
      applied.push({ kind: 'type', apiName: definition.apiName, ...made })
    }
  }
  return applied
}
