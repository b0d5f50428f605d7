import type { Source } from '@octavo/protocol'
import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { connectToOntology, wantsJson } from '../connection/connect.ts'
import { requestPath } from '../connection/request-path.ts'
import { sourcesOf } from '../connection/sources.ts'
import { formatTable } from '../output/format-table.ts'
import { examples } from '../output/help-texts.ts'
import { agoText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'

export function registerSources(program: Command, context: CommandContext): void {
  const { output, now } = context
  const sources = program
    .command('sources')
    .summary('show how far each source of objects has been applied')
    .description(
      'Manages sources: the databases, queues and files from which writers copy, each with the position up to which it has been applied.',
    )
    .addHelpText('after', examples([['see all of them', 'octavo sources list']]))

  sources
    .command('list')
    .summary('list sources and their positions')
    .description('Lists the sources of the ontology, with the position of each and when it was stored.')
    .addHelpText('after', examples([['', 'octavo sources list']]))
    .action(async (_options: object, command: Command) => {
      const { connection, ontology } = await connectToOntology(command, context)
      const all = await sourcesOf(connection, ontology)
      if (wantsJson(command)) return output.write(all.map(jsonLine).join(''))
      if (all.length === 0) return output.note(`No batch of ${ontology.apiName} has named a source yet.\n`)
      const columns = [
        { title: 'SOURCE' },
        { title: 'POSITION' },
        { title: 'GENERATION', align: 'right' },
        { title: 'MOVED' },
      ] as const
      const rows = all.map(({ name, position, generation, movedAt }: Source) => [
        name,
        position,
        String(generation),
        agoText(movedAt, now()),
      ])
      return output.write(formatTable({ columns, rows }, { width: output.columns(), style: output.style }))
    })

  sources
    .command('forget')
    .argument('<NAME>', 'the name of the source')
    .summary('forget how far a source has been applied')
    .description(
      'Forgets a source. Its objects stay. The next batch with this name begins it again, so stop its writer first. For owners.',
    )
    .addHelpText('after', examples([['a source that nobody copies any more', 'octavo sources forget shop']]))
    .action(async (name: string, _options: object, command: Command) => {
      const { connection, ontology } = await connectToOntology(command, context)
      const path = requestPath`/manage/v1/ontologies/${ontology.rid}/sources/${name}`
      await connection.json({ method: 'DELETE', path })
      if (wantsJson(command)) return output.write(jsonLine({ source: name, forgotten: true }))
      return output.write(`The source ${name} is forgotten; its objects are still there.\n`)
    })
}
