import { openAccessManagement } from '@octavo/service'

/** A token for a caller who may manage ontologies, and who has these scopes besides. */
export async function checkerToken(
  databaseUrl: string,
  ...more: readonly 'api:tokens-admin'[]
): Promise<string> {
  const access = openAccessManagement(databaseUrl)
  try {
    const { accessToken } = await access.createToken({
      subject: 'checker',
      scopes: ['api:ontologies-read', 'api:ontologies-write', 'api:ontologies-admin', ...more],
    })
    return accessToken
  } finally {
    await access.close()
  }
}
