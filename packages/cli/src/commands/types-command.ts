import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { OntologyFullMetadata } from '@octavo/protocol'
import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { aboutFile } from '../base/file-error.ts'
import { connectToOntology, wantsJson, type ConnectedOntology } from '../connection/connect.ts'
import { objectTypesOf } from '../connection/object-types.ts'
import { requestPath } from '../connection/request-path.ts'
import { examples } from '../output/help-texts.ts'
import { amountText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'
import { writeOsdkTypesFile } from '../types/write-osdk-types-file.ts'
import { writeTypesFile } from '../types/write-types-file.ts'

export function registerTypes(program: Command, context: CommandContext): void {
  const { output } = context
  program
    .command('types')
    .summary('write the object types as TypeScript, for @octavo/client or @osdk/client')
    .description(
      'Writes the object types of an ontology as a TypeScript file, from which @octavo/client gets its types. With --osdk, the file is for @osdk/client; with --json as well, it is the metadata of the ontology that generators for that client read.',
    )
    .option('--out <FILE>', 'the file to write; - or none is standard output')
    .option('--osdk', 'for @osdk/client')
    .addHelpText(
      'after',
      examples([
        ['', 'octavo types --out src/ontology.ts'],
        ['for @osdk/client', 'octavo types --osdk --out src/ontology.ts'],
        ['for its generators', 'octavo types --osdk --json --out ontology.json'],
      ]),
    )
    .action(async ({ out, osdk }: TypesOptions, command: Command) => {
      const connected = await connectToOntology(command, context)
      const { text, count } =
        osdk === true ? await osdkTypes(connected, wantsJson(command)) : await ownTypes(connected)
      if (out === undefined || out === '-') return output.write(text)
      await aboutFile(out, () => writeFile(resolve(context.currentFolder, out), text))
      return output.write(
        `Wrote ${amountText(count, 'object type')} of ${connected.ontology.apiName} to ${out}.\n`,
      )
    })
}

interface TypesOptions {
  readonly out?: string
  readonly osdk?: boolean
}

interface WrittenTypes {
  readonly text: string
  readonly count: number
}

async function ownTypes({ connection, ontology }: ConnectedOntology): Promise<WrittenTypes> {
  const types = await objectTypesOf(connection, ontology)
  return { text: writeTypesFile(types.map(({ definition }) => definition)), count: types.length }
}

async function osdkTypes(
  { connection, ontology }: ConnectedOntology,
  asMetadata: boolean,
): Promise<WrittenTypes> {
  const metadata = await connection.json<OntologyFullMetadata>({
    path: requestPath`/api/v2/ontologies/${ontology.rid}/fullMetadata`,
  })
  return {
    text: asMetadata ? jsonLine(metadata) : writeOsdkTypesFile(metadata),
    count: Object.keys(metadata.objectTypes).length,
  }
}
