import type { Database } from '../postgres/database.ts'

export interface CatalogSources {
  readonly database: Database
  readonly now: () => Date
  /** Hexadecimal digits that nobody can guess: for names of schemas, tags and identifiers. */
  readonly randomHex: (digits: number) => string
  readonly randomUuid: () => string
}

/** Stands beside a number that may be given out twice, and is never given out twice itself. */
export const newTag = ({ randomHex }: Pick<CatalogSources, 'randomHex'>): string => randomHex(16)
