// `octavo init`: from a file or a table to a definition, and on request to a type with its objects.
import { access, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { apiNamePattern } from '@octavo/protocol/vocabulary'
import { isConfirmed } from '../base/is-confirmed.ts'
import { wrongUse } from '../base/cli-error.ts'
import { aboutFile } from '../base/file-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import type { Connection } from '../connection/connection.ts'
import { jsonLine } from '../output/printed-value.ts'
import { camelCase } from '../records/property-names.ts'
import { chooseOntology } from './choose-ontology.ts'
import { draftDefinition, type Draft } from './draft-definition.ts'
import { initSource, type InitSource, type InitSourceOptions } from './init-source.ts'
import {
  commandText,
  draftTable,
  nextCommands,
  surveyText,
  warnings,
  type NextCommands,
} from './show-draft.ts'
import { surveyFile, type Survey } from './survey-file.ts'

export interface InitOptions extends InitSourceOptions {
  readonly type: string | undefined
  readonly key: string | undefined
  readonly mostRows: number
  readonly out: string | undefined
  readonly force: boolean
  readonly yes: boolean
  readonly json: boolean
  /** Undefined if no service is given; then nothing is applied. */
  readonly connection: Connection | undefined
  readonly ontology: string | undefined
  /** The ontology, if it was named by a flag. */
  readonly ontologyFlag: string | undefined
  /** Runs another command of the program. */
  readonly run: (words: readonly string[]) => Promise<void>
}

export async function runInit(context: CommandContext, options: InitOptions): Promise<void> {
  const source = await initSource(context, options)
  const { stem, name, format, delimiter, table } = source
  const objectType = typeNameOf(options, source)
  const out = options.out ?? `${table === undefined ? stem : objectType}.yaml`
  if (out !== '-' && !options.force) await refuseExisting(resolve(context.currentFolder, out), out)
  const input = await source.open()
  const { ontology, why } = await chooseOntology(options.connection, options.ontology, context.output.note)
  const survey = await surveyFile(input, { ...options, format, delimiter, mayBeEmpty: table !== undefined })
  const { key } = options
  const question = { file: name, format, objectType, ontology, whyOntology: why, key, table }
  const draft = draftDefinition(survey, question)
  const next = nextCommands(draft, { out, source: source.words })
  const made = { survey, draft, source }
  if (out === '-') return toStandardOutput(context, made)
  await write(resolve(context.currentFolder, out), out, draft.yaml)
  await tell(context, options, { ...made, out })
  await applyAndLoad(context, options, { next, name })
}

interface Made {
  readonly survey: Survey
  readonly draft: Draft
  readonly source: InitSource
}

async function toStandardOutput(
  { output }: CommandContext,
  { survey, draft, source: { name } }: Made,
): Promise<void> {
  output.note(surveyText(name, survey) + draftTable(draft, output) + warnings(survey, draft))
  await output.write(draft.yaml)
}

async function tell(
  { output }: CommandContext,
  { json }: InitOptions,
  { survey, draft, source: { name, table }, out }: Made & { readonly out: string },
): Promise<void> {
  const warning = warnings(survey, draft)
  if (json) {
    output.note(warning)
    const { rows, isWhole, unreadable } = survey
    const { content, guesses, leftOut } = draft
    await output.write(
      jsonLine({
        ...(table === undefined ? { file: name } : { table: name, leftOut }),
        definitionFile: out,
        rowCount: rows,
        whole: isWhole,
        unreadableRowCount: unreadable.rows,
        guesses: guesses.map(({ column, property, why }) => ({ column, property, why })),
        definition: content,
      }),
    )
    return
  }
  await output.write(`${surveyText(name, survey)}\n${draftTable(draft, output)}\n${warning}Wrote ${out}.\n`)
}

async function applyAndLoad(
  context: CommandContext,
  options: InitOptions,
  { next, name }: { readonly next: NextCommands; readonly name: string },
): Promise<void> {
  const { output, input } = context
  const typed = (words: readonly string[]) => commandText(words, options.ontologyFlag)
  const mayAsk = input.isTerminal && !options.json && options.connection !== undefined
  const isWanted = options.yes || (mayAsk && (await isConfirmed(context, `Apply it and load ${name} now?`)))
  if (!isWanted) {
    if (!options.json) {
      await output.write(`Next:\n${[next.apply, next.load, next.look].map(typed).join('')}`)
    }
    return
  }
  await options.run([...next.apply, '--yes'])
  await options.run(next.load)
  if (!options.json) await output.write(`To look at it:\n${typed(next.look)}`)
}

function typeNameOf({ type }: InitOptions, { stem, name: source }: InitSource): string {
  const name = type ?? camelCase(stem)
  if (name.length <= 255 && new RegExp(apiNamePattern).test(name)) return name
  throw wrongUse(
    type === undefined
      ? `The name of ${source} does not make a name for the type: give one with --type, such as --type order.`
      : `--type: "${type}" cannot be the name of a type: it begins with a letter and has letters, digits, _ and -${camelCase(type) === '' ? '' : `, such as ${camelCase(type)}`}.`,
  )
}

async function refuseExisting(path: string, out: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (exists) {
    throw wrongUse(`${out} is already there: give --force to overwrite it, or another name with --out.`)
  }
}

async function write(path: string, out: string, text: string): Promise<void> {
  await aboutFile(out, () => writeFile(path, text))
}
