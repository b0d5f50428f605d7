// Which objects each commit has changed, so that a reader of one state can learn what differs in another. Every type has a
// table of changes: a commit adds a row for each object that it changes, and the rows are kept for days.
//
// An object that changes a hundred times has a hundred rows, and a difference must name it once: by its first row after the earlier
// state. Each row also names the version at which the state that it replaced began. An object created at 3 and changed at 5 and 8 has
// the rows 3, 5 (replaced the state of 3) and 8 (replaced that of 5). A difference from version 4 takes row 5, the only row above 4
// whose replaced state began at 4 or before. So a row can be chosen without looking at any other. The row of a created object names no
// such version: whether the object was deleted since the earlier state is then looked up.
//
// The rows are complete from `changes_from` on.
import { columnType } from './column.ts'
import type { ObjectType } from './object-type.ts'

export const createChanges = ({ id, key, tables }: ObjectType): readonly string[] => [
  `create table ${tables.changes} (
    version bigint not null,
    pk ${columnType(key.scalar)} not null,
    version_before bigint,
    deleted boolean not null,
    primary key (version, pk)
  )`,
  // For objects that were deleted and created again.
  `create index t${id}_changes_deleted on ${tables.changes} (pk, version) where deleted`,
]
