// Citus sends an INSERT ... SELECT to the node of its tables only if every function in it is immutable. Casts of text to a time or
// to an array are not, because they depend on settings of the session in general. They do not for the texts that we write, so on
// a cluster there are functions that cast and say so.

const types = {
  date: 'date_of',
  timestamp: 'timestamp_of',
  'text[]': 'texts_of',
  'boolean[]': 'booleans_of',
  'integer[]': 'integers_of',
  'bigint[]': 'longs_of',
  'double precision[]': 'doubles_of',
  'numeric[]': 'decimals_of',
  'date[]': 'dates_of',
  'timestamp[]': 'timestamps_of',
} as const

const functions: ReadonlyMap<string, string> = new Map(Object.entries(types))

export const immutableCast = (text: string, type: string): string => {
  const name = functions.get(type)
  return name === undefined ? `${text}::${type}` : `octavo.${name}(${text})`
}

/** Run by migrate on the coordinator; Citus creates the functions on every node, also on those that are added later. */
export const createImmutableCasts: readonly string[] = [...functions].map(
  ([type, name]) => `create or replace function octavo.${name}(value text) returns ${type}
language plpgsql immutable strict parallel safe as $$ begin return value::${type}; end $$`,
)
