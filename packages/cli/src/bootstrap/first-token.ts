import type { CreatedAccessToken } from '@octavo/protocol'
import { scopes } from '@octavo/protocol/vocabulary'
import type { AccessDoor } from '../access/access-door.ts'

const allScopes = Object.values(scopes).map(({ name }) => name)

export type FirstToken =
  | { readonly kind: 'made'; readonly token: CreatedAccessToken }
  /** The database has tokens of administrators already: their ids and subjects. */
  | { readonly kind: 'there'; readonly administrators: readonly string[] }

interface TokenToMake {
  readonly subject: string
  readonly now: Date
  /** May throw, and then no token is made. */
  readonly beforeMaking: () => void
}

/** Makes a token with every right, unless somebody can make tokens already. */
export async function makeFirstToken(
  door: AccessDoor,
  { subject, now, beforeMaking }: TokenToMake,
): Promise<FirstToken> {
  const administrators = (await door.listTokens()).filter(
    ({ scopes: granted, revokedAt, expiresAt }) =>
      granted.includes(scopes.tokens.name) &&
      revokedAt === undefined &&
      (expiresAt === undefined || new Date(expiresAt) > now),
  )
  if (administrators.length > 0) {
    return {
      kind: 'there',
      administrators: administrators.map((token) => `${token.subject} (${token.accessTokenId})`),
    }
  }
  beforeMaking()
  const token = await door.createToken({
    subject,
    scopes: allScopes,
    description: 'Made by octavo bootstrap.',
  })
  return { kind: 'made', token }
}

/** The words that make a token with every right on the database. */
export const createWords = (subject: string): string =>
  `octavo token create --subject ${subject} ${allScopes.map((name) => `--scope ${name}`).join(' ')}`
