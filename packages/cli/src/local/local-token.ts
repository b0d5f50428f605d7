import { scopes } from '@octavo/protocol'

/** The subject of a local service: whoever started it. */
const localSubject = 'developer'

/** A token that may do everything, made on the database as a first token is. */
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
