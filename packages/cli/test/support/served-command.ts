// Commands that read and write files, against a real service with an ontology.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import type { CommandContext } from '../../src/base/command-context.ts'
import { openConnection, type Connection } from '../../src/connection/connection.ts'
import { putObjectType, putOntology } from '../../src/definitions/plan-definitions.ts'
import { serveOctavo, type Ran } from './served-octavo.ts'

export interface ServedCommand {
  readonly url: string
  /** The database that the service works in. */
  readonly databaseUrl: string
  /** For a command in a separate process. */
  readonly environment: Readonly<Record<string, string>>
  readonly ontologyRid: string
  readonly connection: Connection
  /** The working folder of the commands, empty at first. */
  readonly folder: string
  readonly declare: (definition: ObjectTypeDefinition) => Promise<void>
  readonly run: (words: readonly string[], parts?: Partial<CommandContext>) => Promise<Ran>
  readonly close: () => Promise<void>
}

export async function serveCommand(): Promise<ServedCommand> {
  const served = await serveOctavo()
  const folder = await mkdtemp(join(tmpdir(), 'octavo-cli-'))
  const connection = openConnection(served, { fetch, stopAsked: new AbortController().signal })
  const ontology = { apiName: 'served', displayName: 'Served', apiFamilies: ['served'] }
  const { rid: ontologyRid = '' } = await putOntology(connection, ontology, { dryRun: false })
  return {
    url: served.url,
    databaseUrl: served.databaseUrl,
    environment: { OCTAVO_URL: served.url, OCTAVO_TOKEN: served.token },
    ontologyRid,
    connection,
    folder,
    declare: async (definition) => {
      await putObjectType(connection, ontologyRid, definition, { dryRun: false })
    },
    run: (words, parts = {}) => served.runWith({ currentFolder: folder, ...parts }, ...words),
    close: async () => {
      await served.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
