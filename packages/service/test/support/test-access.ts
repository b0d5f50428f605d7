// The caller of the tests, who may do everything on every ontology created through its store.
import type { AccessTokenRequest, GrantRole } from '@octavo/protocol'
import { hashOfToken } from '../../src/guard/auth/access-token.ts'
import { randomUuid } from '../../src/guard/auth/random.ts'
import { createAccessToken } from '../../src/manage/access-tokens.ts'
import { addGrant } from '../../src/manage/grants.ts'
import type { TestStore } from './open-test-store.ts'

export const testToken = `oct_${Buffer.alloc(32, 7).toString('base64url')}`
export const testSubject = 'tester'

export const everyScope = [
  'api:ontologies-read',
  'api:ontologies-write',
  'api:ontologies-admin',
  'api:tokens-admin',
] as const

/** Registers the token of the tests, and grants its subject every ontology that the store creates from now on. */
export async function withTestAccess<Opened extends TestStore>(store: Opened): Promise<Opened> {
  const known = await store.database.rows({
    text: 'select id from octavo.access_tokens where hash = $1',
    values: [hashOfToken(testToken)],
  })
  if (known.length === 0) await newTokenOf(store, { subject: testSubject }, testToken)
  return {
    ...store,
    applyOntology: async (definition) => {
      const ontology = await store.applyOntology(definition)
      await grantTo(store, testSubject, ontology.rid, 'owner')
      return ontology
    },
  }
}

/** With all scopes by default. */
export async function newTokenOf(
  { database }: Pick<TestStore, 'database'>,
  request: Partial<AccessTokenRequest> & Pick<AccessTokenRequest, 'subject'>,
  text?: string,
): Promise<{ readonly id: string; readonly token: string }> {
  const made = await createAccessToken(
    database,
    { scopes: [...everyScope], ...request },
    { now: () => new Date(), randomUuid, ...(text !== undefined && { newToken: () => text }) },
  )
  return { id: made.accessTokenId, token: made.accessToken }
}

export const grantTo = async (
  { database }: Pick<TestStore, 'database'>,
  subject: string,
  ontologyRid: string,
  role: GrantRole,
): Promise<void> => {
  await addGrant(database, ontologyRid, { principal: { type: 'subject', name: subject }, role })
}
