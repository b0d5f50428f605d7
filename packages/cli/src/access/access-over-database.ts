import { grantRoles } from '@octavo/protocol/vocabulary'
import type { AccessManagement } from '@octavo/service'
import { CliError, wrongUse } from '../base/cli-error.ts'
import type { AccessDoor } from './access-door.ts'

export async function accessOverDatabase<Answer>(
  databaseUrl: string,
  act: (door: AccessDoor) => Promise<Answer>,
): Promise<Answer> {
  const { openAccessManagement } = await import('@octavo/service')
  const management = openAccessManagement(databaseUrl)
  try {
    return await act(doorOf(management))
  } catch (error) {
    if (error instanceof CliError) throw error
    const cause = error instanceof Error ? error.message || error.name : String(error)
    throw new CliError(`The database failed to do this: check that it runs and is migrated (${cause}).`)
  } finally {
    await management.close()
  }
}

const doorOf = (management: AccessManagement): AccessDoor => ({
  createToken: (request) => management.createToken(request),
  listTokens: () => management.listTokens(),
  revokeToken: async (id) => {
    if ((await management.revokeToken(id)) === undefined) {
      throw new CliError(`There is no access token with the id ${id}: see octavo token list.`)
    }
  },
  addGrant: async (wanted, grant) => {
    const ontologyRid = await ridOf(management, wanted)
    await management.addGrant(ontologyRid, grant)
    return { ...grant, ontology: wanted ?? '', ontologyRid }
  },
  listGrants: async (wanted) => {
    const rid = wanted === undefined ? undefined : await ridOf(management, wanted)
    return (await management.listGrants())
      .filter(({ ontologyRid }) => rid === undefined || ontologyRid === rid)
      .map(({ ontology, ontologyRid, principalType, principalName, role }) => ({
        ontology,
        ontologyRid,
        principal: { type: principalType === 'group' ? 'group' : 'subject', name: principalName },
        role: grantRoles.find((known) => known === role) ?? 'reader',
      }))
  },
  removeGrant: async (wanted, principal) => {
    const ontologyRid = await ridOf(management, wanted)
    if (await management.removeGrant(ontologyRid, principal)) return wanted ?? ''
    throw new CliError(
      `The ${principal.type} ${principal.name} has no grant on ${wanted}: see octavo grant list.`,
    )
  },
})

async function ridOf(management: AccessManagement, wanted: string | undefined): Promise<string> {
  if (wanted === undefined) throw wrongUse('Give the ontology: --ontology takes its API name or its rid.')
  const rid = await management.findOntologyRid(wanted)
  if (rid !== undefined) return rid
  throw new CliError(`There is no ontology ${wanted}: check the API name or rid.`)
}
