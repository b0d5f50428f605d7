import type { ClusterManagement, PlacedOntology } from '@octavo/service'
import type { Command } from 'commander'
import { CliError, wrongUse } from '../base/cli-error.ts'
import { clusterOption, withCluster } from '../cluster/with-cluster.ts'
import type { CommandContext } from '../base/command-context.ts'
import { wantsJson } from '../connection/connect.ts'
import { examples } from '../output/help-texts.ts'
import { bytesText, durationText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'
import { showProgress } from '../progress/progress.ts'

export function registerOntology(program: Command, context: CommandContext): void {
  const { output } = context
  const ontology = program
    .command('ontology')
    .summary('move an ontology to another node of a cluster')
    .description(
      'Moves ontologies between the nodes of a Citus cluster. octavo status --database-url shows where they are.',
    )
    .addHelpText('after', examples([['see how to use it', 'octavo ontology move --help']]))

  ontology
    .command('move')
    .argument('<ONTOLOGY>', 'its API name or its rid')
    .argument('<NODE>', 'the node to move it to, as HOST:PORT')
    .summary('move an ontology to another node, under load')
    .description(
      'Moves an ontology to another node of a Citus cluster. Meanwhile it can be read and written; at the end, writers wait for a moment. If the command is interrupted, the ontology stays where it was.',
    )
    .option(...clusterOption)
    .addHelpText('after', examples([['', 'octavo ontology move library worker-2.internal:5432']]))
    .action(
      async (wanted: string, to: string, options: { readonly databaseUrl?: string }, command: Command) => {
        const moved = await withCluster(options.databaseUrl, context, async (cluster) => {
          const found = await ontologyNamed(cluster, wanted)
          await requireNode(cluster, to)
          const startedAt = performance.now()
          await showingProgress(cluster, context, () => cluster.move(found, to))
          return { found, milliseconds: performance.now() - startedAt }
        })
        const { found, milliseconds } = moved
        if (wantsJson(command)) {
          return output.write(jsonLine({ ontology: found.apiName, from: found.node, to }))
        }
        return output.write(
          found.node === to
            ? `${found.apiName} is on ${to} already.\n`
            : `${found.apiName} is on ${to} now; it took ${durationText(milliseconds)}. The service sends its requests there within ten seconds.\n`,
        )
      },
    )
}

async function ontologyNamed(cluster: ClusterManagement, wanted: string): Promise<PlacedOntology> {
  const found = (await cluster.ontologies()).find(({ apiName, rid }) => wanted === apiName || wanted === rid)
  if (found !== undefined) return found
  if ((await cluster.nodes()).length === 0) {
    throw new CliError(
      'This database is one PostgreSQL without Citus: there is no other node. See the guide on scaling out.',
    )
  }
  throw new CliError(`There is no ontology ${wanted}: see octavo status --database-url.`)
}

async function requireNode(cluster: ClusterManagement, to: string): Promise<void> {
  const nodes = await cluster.nodes()
  if (nodes.some(({ address, takesOntologies }) => address === to && takesOntologies)) return
  const others = nodes.filter(({ takesOntologies }) => takesOntologies).map(({ address }) => address)
  throw wrongUse(`${to} is not a node that takes ontologies. There are ${others.join(', ') || 'none'}.`)
}

async function showingProgress(
  cluster: ClusterManagement,
  { output }: CommandContext,
  work: () => Promise<void>,
): Promise<void> {
  let text = 'beginning'
  const read = async (): Promise<void> => {
    const copying = await cluster.progress().catch(() => undefined)
    if (copying !== undefined) text = `${bytesText(copying.copied)} of ${bytesText(copying.total)} copied`
  }
  const timer = setInterval(() => void read(), 1_000)
  const progress = showProgress(output, () => text)
  try {
    await work()
  } finally {
    clearInterval(timer)
    progress.stop()
  }
}
