/** An SQL condition: whether this database is on a node of a Citus cluster. */
export const hasCitus = "exists (select from pg_extension where extname = 'citus')"
