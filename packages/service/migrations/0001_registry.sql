-- The registry: which ontology is in which schema. Everything else of an ontology is in its own schema.
-- The schema octavo exists already when this runs, because the table of applied migrations lives in it.

create table octavo.ontologies (
  rid text collate "C" primary key,
  api_name text collate "C" not null unique,
  display_name text not null,
  description text not null,
  schema_name text collate "C" not null unique,
  -- Which tables the schema has: catalog/upgrade-ontology.ts brings older ones to the newest layout.
  layout integer not null
);

create table octavo.api_families (
  name text collate "C" primary key,
  ontology_rid text collate "C" not null references octavo.ontologies (rid)
);

-- Raised by every change of the registry, so that a process knows when what it remembers is old. A number alone does not say what it
-- was given to: after a failover that lost a change, or a restore, the next change gets the same number. So every number that a
-- process compares with what it remembers has a tag beside it, new with each change.
create table octavo.registry_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null,
  tag text not null default ''
);

insert into octavo.registry_version (version) values (0);

-- Who may come in and what they may see. Only the hash of a token is kept: somebody who reads this table cannot use one.

create table octavo.access_tokens (
  id text collate "C" primary key,
  hash text collate "C" not null unique,
  subject text collate "C" not null,
  groups text[] not null,
  scopes text[] not null,
  description text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);

create table octavo.grants (
  ontology_rid text collate "C" not null references octavo.ontologies (rid),
  principal_type text collate "C" not null check (principal_type in ('subject', 'group')),
  principal_name text collate "C" not null,
  role text collate "C" not null check (role in ('reader', 'writer', 'owner')),
  primary key (ontology_rid, principal_type, principal_name)
);

create index grants_of_principal on octavo.grants (principal_type, principal_name);

-- Raised by every change of the two tables, so that a process knows when what it remembers is old. By a trigger, so that
-- a change made by hand is noticed as well.
create table octavo.access_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null,
  tag text not null default ''
);

insert into octavo.access_version (version) values (0);

create function octavo.raise_access_version() returns trigger language plpgsql as $$
begin
  update octavo.access_version set version = version + 1, tag = gen_random_uuid()::text;
  return null;
end
$$;

create trigger raise_access_version after insert or update or delete or truncate on octavo.access_tokens
  for each statement execute function octavo.raise_access_version();

create trigger raise_access_version after insert or update or delete or truncate on octavo.grants
  for each statement execute function octavo.raise_access_version();

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
