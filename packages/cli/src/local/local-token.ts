import { scopes } from '@octavo/protocol/vocabulary'

/** The subject of a local service: the developer who started it. */
const localSubject = 'developer'

/** Creates a token with all rights directly on the database, as a first token is created. */
export async function makeLocalToken(databaseUrl: string): Promise<string> {
  const { openAccessManagement } = await import('@octavo/service')
  const access = openAccessManagement(databaseUrl)
  try {
    const { accessToken } = await access.createToken({
      subject: localSubject,
      scopes: Object.values(scopes).map(({ name }) => name),
    })
    return accessToken
  } finally {
    await access.close()
  }
}
