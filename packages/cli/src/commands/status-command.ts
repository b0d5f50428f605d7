import type { ManagedObjectType, ManagedOntology, ObjectTypeStatistics, Source } from '@octavo/protocol'
import type { Command } from 'commander'
import { CliError } from '../base/cli-error.ts'
import { withCluster } from '../cluster/with-cluster.ts'
import type { CommandContext } from '../base/command-context.ts'
import { connect, globalFlags, wantsJson } from '../connection/connect.ts'
import type { Connection } from '../connection/connection.ts'
import { findOntology, visibleOntologies } from '../connection/find-ontology.ts'
import { sourcesOf } from '../connection/sources.ts'
import { objectTypesOf, statisticsOf } from '../connection/object-types.ts'
import { readHealth, reasonsText, type Health } from '../connection/read-health.ts'
import { formatTable } from '../output/format-table.ts'
import { examples } from '../output/help-texts.ts'
import { agoText, countText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'
import { hasConnectionSettings, readUrl, readWantedOntology } from '../settings/read-settings.ts'

type TypeStatus = ManagedObjectType & Pick<ObjectTypeStatistics, 'version' | 'objectCount' | 'committedAt'>

interface OntologyStatus extends ManagedOntology {
  /** Absent for callers who may only read: the status of a type is for its writers. */
  readonly objectTypes?: readonly TypeStatus[]
  readonly sources: readonly Source[]
}

export function registerStatus(program: Command, context: CommandContext): void {
  const { output } = context
  program
    .command('status')
    .summary('show whether the service is ready, and what it holds')
    .description(
      'Shows whether the service is ready, which ontologies you can see, how far their sources have been applied and, for each type that you may write, its number of objects, its version, its last commit and what is still being prepared. The exit code is 1 if the service is not ready.',
    )
    .option(
      '--database-url <URL>',
      'instead, show the nodes of this Citus cluster, and on which node each ontology is',
    )
    .addHelpText(
      'after',
      examples([
        ['', 'octavo status'],
        ['only one ontology', 'octavo status --ontology example'],
        [
          'on which node of a cluster each ontology is',
          'octavo status --database-url postgres://HOST/octavo',
        ],
      ]),
    )
    .action(async ({ databaseUrl }: { readonly databaseUrl?: string }, command: Command) => {
      if (databaseUrl !== undefined) return showCluster(databaseUrl, command, context)
      const flags = globalFlags(command)
      const url = readUrl(flags, context)
      const health = await readHealth(url, context)
      const ontologies =
        hasConnectionSettings(flags, context) && health.status === 'ready'
          ? await readAll(command, context)
          : undefined
      if (wantsJson(command)) await output.write(jsonLine({ url, ...health, ontologies }))
      else await output.write(healthText(url, health) + ontologiesText(ontologies, context))
      if (health.status === 'unready') throw new CliError('')
    })
}

async function showCluster(databaseUrl: string, command: Command, context: CommandContext): Promise<void> {
  const { output } = context
  const { nodes, ontologies } = await withCluster(databaseUrl, context, async (cluster) => ({
    nodes: await cluster.nodes(),
    ontologies: await cluster.ontologies(),
  }))
  if (wantsJson(command)) return output.write(jsonLine({ nodes, ontologies }))
  if (nodes.length === 0) return output.write('One PostgreSQL without Citus: every ontology is there.\n')
  const layout = { width: output.columns(), style: output.style }
  const nodeTable = {
    columns: [{ title: 'NODE' }, { title: 'ROLE' }, { title: 'ONTOLOGIES', align: 'right' }],
    rows: nodes.map(({ address, isCoordinator, takesOntologies, ontologyCount }) => [
      address,
      isCoordinator ? 'coordinator' : takesOntologies ? 'worker' : 'worker, takes no ontologies',
      countText(ontologyCount),
    ]),
  } as const
  const ontologyTable = {
    columns: [{ title: 'ONTOLOGY' }, { title: 'NODE' }],
    rows: ontologies.map(({ apiName, node, isDistributed }) => [
      apiName,
      isDistributed ? node : `${node} (not distributed)`,
    ]),
  }
  return output.write(`${formatTable(nodeTable, layout)}\n${formatTable(ontologyTable, layout)}`)
}

async function readAll(command: Command, context: CommandContext): Promise<readonly OntologyStatus[]> {
  const connection = connect(command, context)
  const wanted = readWantedOntology(globalFlags(command), context)
  const ontologies =
    wanted === undefined ? await visibleOntologies(connection) : [await findOntology(connection, wanted)]
  return Promise.all(
    ontologies.map(async (ontology) => ({
      ...ontology,
      ...(ontology.role !== 'reader' && { objectTypes: await typesWithStatus(connection, ontology) }),
      sources: await sourcesOf(connection, ontology),
    })),
  )
}

async function typesWithStatus(
  connection: Connection,
  ontology: ManagedOntology,
): Promise<readonly TypeStatus[]> {
  const types = await objectTypesOf(connection, ontology)
  return Promise.all(
    types.map(async (type) => {
      const { version, objectCount, committedAt } = await statisticsOf(connection, ontology, type.apiName)
      return { ...type, version, objectCount, committedAt }
    }),
  )
}

const healthText = (url: string, health: Health): string =>
  health.status === 'ready'
    ? `${url} is ready: Octavo ${health.serviceVersion ?? 'of an unknown version'}, answered in ${health.milliseconds} ms.\n`
    : `${url} is not ready: ${reasonsText(health)}\n`

function ontologiesText(ontologies: readonly OntologyStatus[] | undefined, context: CommandContext): string {
  if (ontologies === undefined) return 'Give a token to see what it holds.\n'
  if (ontologies.length === 0)
    return 'You have no grant on any ontology: ask an owner for a grant, or create an ontology with octavo apply.\n'
  return ontologies.map((ontology) => ontologyText(ontology, context)).join('')
}

function ontologyText(ontology: OntologyStatus, { output, now }: CommandContext): string {
  const { apiName, role, apiFamilies, objectTypes, sources } = ontology
  const line = `\n${output.style.strong(apiName)}: you are ${role}; API family ${apiFamilies.join(', ')}\n`
  const head = `${line}${sources.map((source) => sourceText(source, now())).join('')}`
  if (objectTypes === undefined) return `${head}The status of its types is shown only to its writers.\n`
  if (objectTypes.length === 0) return `${head}It has no object types yet.\n`
  const columns = [
    { title: 'TYPE' },
    { title: 'OBJECTS', align: 'right' },
    { title: 'VERSION', align: 'right' },
    { title: 'LAST COMMIT' },
    { title: 'PREPARING' },
  ] as const
  const rows = objectTypes.map((type) => [
    type.apiName,
    countText(type.objectCount),
    type.version,
    type.version === '0' ? 'none yet' : agoText(type.committedAt, now()),
    type.preparing.join(', ') || '-',
  ])
  return head + formatTable({ columns, rows }, { width: output.columns(), style: output.style })
}

const sourceText = ({ name, position, movedAt }: Source, now: Date): string =>
  `Its source ${name} is at ${position}; moved ${agoText(movedAt, now)}.\n`
