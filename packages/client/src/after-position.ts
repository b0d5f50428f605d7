// A read that contains what a source had committed up to a position: nobody misses what they have just written elsewhere.
import { isWhole, type OptionRule } from './options/check-options.ts'

export interface AfterPosition {
  /** The name of the source. */
  readonly source: string
  /** How far the state must be: for a PostgreSQL `pg_current_wal_lsn()`, taken after the change. */
  readonly position: string
  /** Which generation of positions is meant. The default is the newest. */
  readonly generation?: number
  /** How long the service waits for the position, 0 to 30 seconds. The default is 0; after that, `SourceBehind` is thrown. */
  readonly waitSeconds?: number
}

export const afterRule: OptionRule = [
  (value) => {
    const { source, position, generation = 1, waitSeconds = 0 } = value as Partial<AfterPosition>
    const texts = [source, position].every((text) => typeof text === 'string' && text !== '')
    return texts && isWhole(generation) && isWhole(waitSeconds) && waitSeconds <= 30
  },
  "a position of a source, such as { source: 'shop', position: '0/16B3748', waitSeconds: 5 }",
  /after|position|consisten|read_?your/i,
]

/** The fields of the request. */
export const afterFields = (after: AfterPosition | undefined): Readonly<Record<string, string | number>> =>
  after === undefined
    ? {}
    : {
        afterSource: after.source,
        afterPosition: after.position,
        ...(after.generation !== undefined && { afterGeneration: after.generation }),
        ...(after.waitSeconds !== undefined && { waitSeconds: after.waitSeconds }),
      }

export function queryText(parameters: Readonly<Record<string, string | number>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) query.append(name, String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** How much longer the answer may take. */
export const waitOf = (after: AfterPosition | undefined): { readonly waitSeconds?: number } =>
  after?.waitSeconds === undefined ? {} : { waitSeconds: after.waitSeconds }
