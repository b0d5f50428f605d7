// Which objects each commit has changed, so that a reader of one state can be told what is different in another. Every type has a
// table of changes: a commit adds a row for each object that it changes, and the rows are kept for days.
//
// An object that changes a hundred times has a hundred rows, and a difference must name it once. Its first row after the earlier
// state is the one: the row says with which version the object's state before it had begun, and only the first row after a version
// names one that is not above it. So a row can be chosen without looking at any other. The row of an object that is created names no
// version: whether the object was deleted since the earlier state is then looked up.
//
// What is remembered is complete from `changes_from` on.
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
