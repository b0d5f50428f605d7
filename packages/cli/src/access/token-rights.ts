// What a token may do. The service has no endpoint that says so, so each right is tried with a request that does nothing: on an
// ontology that does not exist, the scope is checked first (P116).
import { scopes, type Right } from '@octavo/protocol/vocabulary'
import type { Connection } from '../connection/connection.ts'
import { requestPath } from '../connection/request-path.ts'
import { ServiceRefused } from '../connection/service-errors.ts'

const nowhere = 'ri.ontology.main.ontology.00000000-0000-0000-0000-000000000000'

const tries: Readonly<Record<Right, Parameters<Connection['send']>[0]>> = {
  read: { path: requestPath`/manage/v1/ontologies/${nowhere}` },
  write: {
    method: 'POST',
    path: requestPath`/manage/v1/ontologies/${nowhere}/objectTypes/none/batches`,
    // Not the media type of a batch, so that it is refused even before the ontology is looked for.
    json: {},
  },
  admin: { path: requestPath`/manage/v1/ontologies/${nowhere}/grants` },
  tokens: { path: requestPath`/manage/v1/accessTokens`, query: { pageSize: '1' } },
}

/** How a service that has accepted the token and its scope refuses what was asked for. */
const refusalsOfTries: ReadonlySet<string> = new Set(['OntologyNotFound', 'Conjure:UnsupportedMediaType'])

const meanings: Readonly<Record<Right, string>> = {
  read: 'read',
  write: 'write objects',
  admin: 'manage definitions and grants',
  tokens: 'manage access tokens',
}

/** Throws if the service refuses the token itself. */
export async function readRights(connection: Connection): Promise<readonly Right[]> {
  const found: Right[] = []
  for (const right of Object.keys(scopes) as readonly Right[]) {
    if (await hasRight(connection, right)) found.push(right)
  }
  return found
}

async function hasRight(connection: Connection, right: Right): Promise<boolean> {
  try {
    const response = await connection.send(tries[right])
    await response.body?.cancel()
    return true
  } catch (error) {
    if (!(error instanceof ServiceRefused)) throw error
    if (error.errorName === 'ApiUsageDenied') return false
    if (refusalsOfTries.has(error.errorName)) return true
    throw error
  }
}

/** `read, write objects and manage access tokens` */
export function rightsText(rights: readonly Right[]): string {
  const texts = rights.map((right) => meanings[right])
  if (texts.length < 2) return texts[0] ?? 'do nothing'
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}

/** When a token of an identity provider ends. An access token of the service does not say it. */
export function expiryIn(token: string): Date | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const exp = typeof claims === 'object' && claims !== null ? Reflect.get(claims, 'exp') : undefined
    return typeof exp === 'number' ? new Date(exp * 1_000) : undefined
  } catch {
    return undefined
  }
}
