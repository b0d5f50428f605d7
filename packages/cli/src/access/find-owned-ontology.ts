// Grants need the scope api:ontologies-admin only, but listing ontologies needs api:ontologies-read. So a token without that scope
// finds an ontology in another way: what an admin may ask for is what applying a definition would change, and the answer names
// the rid. It is a dry run, which only an owner may make and which changes nothing.
import type { AppliedOntology } from '@octavo/protocol'
import { CliError, wrongUse } from '../base/cli-error.ts'
import type { Connection } from '../connection/connection.ts'
import { findOntology } from '../connection/find-ontology.ts'
import { requestPath } from '../connection/request-path.ts'
import { ServiceRefused } from '../connection/service-errors.ts'

interface OwnedOntology {
  readonly rid: string
  readonly apiName: string
}

export async function findOwnedOntology(
  connection: Connection,
  wanted: string | undefined,
): Promise<OwnedOntology> {
  try {
    return await findOntology(connection, wanted)
  } catch (error) {
    if (!mayNotRead(error)) throw error
    if (wanted === undefined) throw needsOntology
    return wanted.startsWith('ri.')
      ? { rid: wanted, apiName: wanted }
      : { rid: await ridByDryRun(connection, wanted), apiName: wanted }
  }
}

/** For a list of ontologies that a token may not be allowed to read. */
export const orNeedsOntology = async <Answer>(reading: Promise<Answer>): Promise<Answer> => {
  try {
    return await reading
  } catch (error) {
    throw mayNotRead(error) ? needsOntology : error
  }
}

const mayNotRead = (error: unknown): boolean =>
  error instanceof ServiceRefused && error.errorName === 'ApiUsageDenied'

const needsOntology = wrongUse(
  'Give the ontology with --ontology or OCTAVO_ONTOLOGY: this token may not list ontologies, because it lacks api:ontologies-read.',
)

async function ridByDryRun(connection: Connection, apiName: string): Promise<string> {
  const { rid } = await connection
    .json<AppliedOntology>({
      method: 'PUT',
      path: requestPath`/manage/v1/ontologies/${apiName}`,
      json: { apiName, displayName: apiName },
      query: { dryRun: 'true' },
    })
    .catch((error: unknown) => {
      const isOfOthers = error instanceof ServiceRefused && error.errorName === 'OntologyAlreadyExists'
      const isNoName = error instanceof ServiceRefused && error.errorName === 'InvalidDefinition'
      if (!isOfOthers && !isNoName) throw error
      return { rid: undefined }
    })
  if (rid !== undefined) return rid
  throw new CliError(
    `There is no ontology ${apiName} that you own: check the name, or ask its owner to make the grant.`,
  )
}
