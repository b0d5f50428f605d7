-- Who may come in and what they may see. A token is kept as its hash only: whoever reads this table cannot use one.

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
  version bigint not null
);

insert into octavo.access_version (version) values (0);

create function octavo.raise_access_version() returns trigger language plpgsql as $$
begin
  update octavo.access_version set version = version + 1;
  return null;
end
$$;

create trigger raise_access_version after insert or update or delete or truncate on octavo.access_tokens
  for each statement execute function octavo.raise_access_version();

create trigger raise_access_version after insert or update or delete or truncate on octavo.grants
  for each statement execute function octavo.raise_access_version();
