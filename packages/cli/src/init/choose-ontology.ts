// The ontology of a new type: the one that the settings name, or the only one there is, written exactly as it is so that
// applying the file leaves it unchanged; or a new one.
import type { ManagedOntology, OntologyDefinition } from '@octavo/protocol'
import { wrongUse } from '../base/cli-error.ts'
import type { Connection } from '../connection/connection.ts'
import { requestPath } from '../connection/request-path.ts'
import { ServiceUnreachable } from '../connection/service-errors.ts'
import { ontologyDefinition } from '../definitions/ontology-definition.ts'

export interface ChosenOntology {
  readonly ontology: OntologyDefinition
  readonly why: string
}

const newOntologyName = 'data'

/** Without a connection, or if nothing answers, a new ontology is assumed. */
export async function chooseOntology(
  connection: Connection | undefined,
  wanted: string | undefined,
  note: (text: string) => void,
): Promise<ChosenOntology> {
  const visible = await ontologiesOf(connection, note)
  const named = visible.filter(
    ({ apiName, rid }) => wanted === undefined || apiName === wanted || rid === wanted,
  )
  const [only, ...others] = named
  if (only !== undefined && others.length === 0) {
    return { ontology: ontologyDefinition(only), why: 'it exists and stays as it is' }
  }
  if (others.length > 0) {
    throw wrongUse(
      `Into which ontology? You can see ${visible.map(({ apiName }) => apiName).join(', ')}: choose one with --ontology or OCTAVO_ONTOLOGY; a new name makes a new one.`,
    )
  }
  if (wanted !== undefined && !/^[A-Za-z][A-Za-z0-9_-]*$/.test(wanted)) {
    throw wrongUse(
      `There is no ontology ${wanted} that you can see: give its API name, such as ${newOntologyName}.`,
    )
  }
  return { ontology: newOntology(wanted ?? newOntologyName), why: 'a new one' }
}

async function ontologiesOf(
  connection: Connection | undefined,
  note: (text: string) => void,
): Promise<readonly ManagedOntology[]> {
  if (connection === undefined) return []
  try {
    const path = requestPath`/manage/v1/ontologies`
    return await connection.allItems<ManagedOntology>({ path, retrySeconds: 0 })
  } catch (error) {
    if (!(error instanceof ServiceUnreachable)) throw error
    note(`${error.message} The definition is written all the same, for a new ontology.\n`)
    return []
  }
}

function newOntology(apiName: string): OntologyDefinition {
  const family = apiName.toLowerCase().replaceAll('_', '-').slice(0, 64)
  return {
    apiName,
    displayName: apiName.slice(0, 1).toUpperCase() + apiName.slice(1),
    // A family is not named like a version of the API.
    apiFamilies: [/^v[0-9]+$/.test(family) ? `${family}-data` : family],
  }
}
