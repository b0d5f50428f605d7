import type { Database } from '../postgres/database.ts'

export interface CatalogSources {
  readonly database: Database
  readonly now: () => Date
  /** Unguessable hexadecimal digits: for names of schemas, tags and identifiers. */
  readonly randomHex: (digits: number) => string
  readonly randomUuid: () => string
}

/** A tag accompanies a number that may be assigned twice. The tag itself is never assigned twice. */
export const newTag = ({ randomHex }: Pick<CatalogSources, 'randomHex'>): string => randomHex(16)
