// SQL on Citus' own tables. A node is a group of servers, one of which is the primary; the coordinator is group 0.

/** The group that holds a schema; null if the schema is not distributed. All its tables are together, so any of them tells. */
export const groupHolding = (schemaName: string): string => `(select l.groupid from pg_dist_schema s
  join pg_dist_partition p on p.colocationid = s.colocationid
  join pg_dist_shard d on d.logicalrelid = p.logicalrelid
  join pg_dist_placement l on l.shardid = d.shardid
  where s.schemaid = to_regnamespace(${schemaName}) limit 1)`

/** Host and port of the row `n` of pg_dist_node, as in a URL. */
export const nodeAddress = `concat(case when n.nodename like '%:%' then format('[%s]', n.nodename) else n.nodename end, ':', n.nodeport)`
