-- Who read which object type, and who changed what. Never what was read: no object, no key, no filter, no credential.
-- The key begins with the time, so that old rows are one range to delete.

create table octavo.audit (
  at timestamp not null,
  id text collate "C" not null,
  subject text collate "C" not null,
  action text collate "C" not null,
  ontology_rid text collate "C",
  object_type text collate "C",
  -- What was changed: the id of a token, or the role and principal of a grant.
  details jsonb,
  walk_id text collate "C",
  mode text collate "C",
  ended_by text collate "C",
  objects bigint,
  bytes bigint,
  primary key (at, id)
);
