// The command line of the kit.
import { writeFileSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { runKit, tallyOf, type KitReport } from './kit/kit.ts'
import { ServerUnreachable } from './exchange/send.ts'
import { reportForPeople } from './reports/for-people.ts'
import { reportAsJson } from './reports/json.ts'
import { reportAsJunit } from './reports/junit.ts'
import type { Collection, RevisionName } from './exchange/collection.ts'
import type { Gifts } from './subject/subject.ts'
import { NotSafeToWrite } from './subject/find-free-keys.ts'
import { SurveyFailed } from './subject/survey.ts'
import { commandWriter } from './writer/command-writer.ts'
import { urlWriter } from './writer/url-writer.ts'
import { WriterFailed, type Writer } from './writer/writer.ts'

const exitCodes = { passed: 0, failed: 1, refused: 2 } as const

interface Flags {
  readonly url: string
  readonly token: string
  readonly revision: RevisionName
  readonly ontology: string
  readonly type: string
  readonly writerUrl?: string
  readonly writerToken?: string
  readonly writerCommand?: string
  readonly otherToken?: string
  readonly otherUrl?: string
  readonly expiredPageToken?: string
  readonly tokenLifeSeconds?: number
  readonly goneSnapshotToken?: string
  readonly expiredSnapshotToken?: string
  readonly only?: readonly string[]
  readonly strict?: true
  readonly json?: string
  readonly junit?: string
}

const examples = `
Examples:
  Read only:
    octavo-conformance --url https://objects.example.com --token "$TOKEN" \\
      --revision 1.0 --ontology ri.ontology.main.ontology.5c0b8d1e --type employee

  With changes between pages, where the server takes batches as Octavo does:
    octavo-conformance --url http://localhost:8080 --token "$TOKEN" \\
      --revision 2.0 --ontology people --type com.example.object.person \\
      --writer-url "http://localhost:8080/manage/v1/ontologies/$RID/objectTypes/com.example.object.person/batches"

  With a command that applies the batch it gets on standard input, and a report for a build machine:
    octavo-conformance ... --writer-command ./apply-batch.sh --junit conformance.xml

Exit codes: 0 all passed, 1 a clause is broken, 2 wrong arguments, no answer from the server, or not safe to write.
`

const clauseList = (text: string): readonly string[] => text.split(',').map((clause) => clause.trim())

const seconds = (text: string): number => {
  if (!/^[0-9]+$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.')
  return Number(text)
}

export interface Output {
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
  /** Shown while the kit runs; each line replaces the previous one. */
  readonly progress?: (line: string) => void
}

/** Runs the kit with these arguments; returns the exit code. */
export async function runProgram(words: readonly string[], output: Output): Promise<number> {
  let exitCode: number = exitCodes.passed
  const program = new Command('octavo-conformance')
    .description('Checks a server against the clauses of the Octavo protocol, from outside.')
    .requiredOption('--url <url>', 'the address of the server')
    .addOption(
      new Option('--token <token>', 'the bearer token of a caller who may read the type')
        .env('OCTAVO_TOKEN')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--revision <revision>', 'the revision to check')
        .choices(['1.0', '2.0', 'v2'])
        .makeOptionMandatory(),
    )
    .requiredOption(
      '--ontology <name>',
      'the rid of the ontology in revision 1.0, the API family in 2.0, either the rid or the API name in v2',
    )
    .requiredOption(
      '--type <name>',
      'an object type with at least 25 objects that nobody else writes meanwhile',
    )
    .option(
      '--writer-url <url>',
      'the address that takes batches as NDJSON; the kit changes only objects that it created, and writes nothing before it has read all',
    )
    .option('--writer-token <token>', 'the bearer token for the writer; if left out, that of the reader')
    .addOption(
      new Option(
        '--writer-command <command>',
        'a command to run in a shell for each batch, with the lines on standard input',
      ).conflicts('writerUrl'),
    )
    .option('--other-token <token>', 'the bearer token of a second caller who may read the type')
    .option('--other-url <url>', 'a second instance of the same deployment')
    .option(
      '--expired-page-token <token>',
      'an expired page token of the type, from a request with only pageSize',
    )
    .option(
      '--token-life-seconds <seconds>',
      'how long page tokens are valid, if the kit may wait that long',
      seconds,
    )
    .option('--gone-snapshot-token <token>', 'a page token of a snapshot that is no longer kept')
    .option(
      '--expired-snapshot-token <token>',
      'a snapshot token of a state whose changes are no longer known',
    )
    .option('--only <clauses>', 'only cases of these clauses, such as P33,P35', clauseList)
    .option('--strict', 'count a case that cannot be run as failed')
    .option('--json <file>', 'write the report as JSON; - is standard output')
    .option('--junit <file>', 'write the report as JUnit XML; - is standard output')
    .addHelpText('after', examples)
    .exitOverride()
    .configureOutput({ writeOut: output.write, writeErr: output.writeError })
    .action(async (flags: Flags) => {
      exitCode = await check(flags, output)
    })
  try {
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    if (isHelp(error)) return exitCodes.passed
    if (isKnown(error)) output.writeError(`${error.message}\n`)
    else if (!isFromCommander(error)) throw error
    return exitCodes.refused
  }
}

async function check(flags: Flags, output: Output): Promise<number> {
  const collection: Collection = {
    revision: flags.revision,
    ontology: flags.ontology,
    objectType: flags.type,
  }
  const report = await runKit({
    server: { url: flags.url, token: flags.token },
    collection,
    writer: writerOf(flags, collection),
    gifts: giftsOf(flags),
    only: flags.only,
    onResult: ({ clause, title }) => output.progress?.(`${clause} ${title}`),
  })
  output.progress?.('')
  writeReports(report, flags, output)
  const { passed, failed, skipped } = tallyOf(report)
  if (passed + failed + skipped === 0) {
    output.writeError('No case has these clauses: check --only.\n')
    return exitCodes.refused
  }
  return failed > 0 || (flags.strict === true && skipped > 0) ? exitCodes.failed : exitCodes.passed
}

const giftsOf = (flags: Flags): Gifts => ({
  otherToken: flags.otherToken,
  otherUrl: flags.otherUrl,
  expiredPageToken: flags.expiredPageToken,
  tokenLifeSeconds: flags.tokenLifeSeconds,
  goneSnapshotToken: flags.goneSnapshotToken,
  expiredSnapshotToken: flags.expiredSnapshotToken,
})

function writerOf(flags: Flags, collection: Collection): Writer | undefined {
  if (flags.writerUrl !== undefined) return urlWriter(flags.writerUrl, flags.writerToken ?? flags.token)
  return flags.writerCommand === undefined ? undefined : commandWriter(flags.writerCommand, collection)
}

function writeReports(report: KitReport, { json, junit }: Flags, { write }: Output): void {
  const writeTo = (file: string | undefined, text: () => string) => {
    if (file === '-') write(text())
    else if (file !== undefined) writeFileSync(file, text())
  }
  writeTo(json, () => reportAsJson(report))
  writeTo(junit, () => reportAsJunit(report))
  if (json !== '-' && junit !== '-') write(reportForPeople(report))
}

const isKnown = (error: unknown): error is Error =>
  error instanceof ServerUnreachable ||
  error instanceof SurveyFailed ||
  error instanceof NotSafeToWrite ||
  error instanceof WriterFailed

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const isFromCommander = (error: unknown): boolean => codeOf(error).startsWith('commander.')
const isHelp = (error: unknown): boolean => codeOf(error) === 'commander.helpDisplayed'
