/**
 * SQL for the relation that holds the rows of a table, whose name is an SQL expression. The rows of a distributed table are in a
 * table of the node that holds it, whose name ends with a number.
 */
export const storedRelation = (name: string, isCitus: boolean): string =>
  isCitus
    ? `coalesce((select to_regclass(${name} || '_' || d.shardid) from pg_dist_shard d where d.logicalrelid = to_regclass(${name})), to_regclass(${name}))`
    : `to_regclass(${name})`
