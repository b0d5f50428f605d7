import { Type } from 'typebox'

import { pageSchema } from '../paging/page.ts'
import { scopes } from '../base/scopes.ts'
import { tableNames } from '../base/table-names.ts'
import { plainTextPattern } from '../values/plain-text.ts'
import { timestampTextPattern } from '../values/property-value.ts'
import { closed, type Wire } from '../base/wire.ts'

const timestamp = Type.String({ pattern: timestampTextPattern })
const scope = Type.Enum(tableNames(scopes).map((right) => scopes[right].name))

export const accessTokenRequestSchema = Type.Object(
  {
    subject: Type.String({ minLength: 1, maxLength: 255 }),
    groups: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 100 })),
    scopes: Type.Array(scope, { minItems: 1, uniqueItems: true }),
    description: Type.Optional(Type.String({ maxLength: 1000, pattern: plainTextPattern })),
    expiresAt: Type.Optional(
      Type.String({ description: 'A time with its zone (RFC 3339), such as 2030-01-31T12:00:00Z.' }),
    ),
  },
  closed,
)
export type AccessTokenRequest = Wire<typeof accessTokenRequestSchema>

/** What the service knows of a token. It does not know the secret: it stores only a hash. */
export const accessTokenRecordSchema = Type.Object({
  accessTokenId: Type.String({ minLength: 1 }),
  subject: Type.String(),
  groups: Type.Array(Type.String()),
  scopes: Type.Array(Type.Unsafe<string>(scope)),
  description: Type.Optional(Type.String()),
  createdAt: timestamp,
  expiresAt: Type.Optional(timestamp),
  revokedAt: Type.Optional(timestamp),
})
export type AccessTokenRecord = Wire<typeof accessTokenRecordSchema>

/** The answer to creating a token: the only time that `accessToken` is shown. */
export const createdAccessTokenSchema = Type.Object({
  ...accessTokenRecordSchema.properties,
  accessToken: Type.String({ minLength: 1 }),
})
export type CreatedAccessToken = Wire<typeof createdAccessTokenSchema>

export const accessTokensPageSchema = pageSchema(accessTokenRecordSchema)
