-- A number alone does not say what it was given to: after a failover that lost a change, or a restore, the next change gets
-- the same number. So every number that a process compares with what it remembers has a tag beside it, new with each change.

alter table octavo.registry_version add column tag text not null default '';

alter table octavo.access_version add column tag text not null default '';

create or replace function octavo.raise_access_version() returns trigger language plpgsql as $$
begin
  update octavo.access_version set version = version + 1, tag = gen_random_uuid()::text;
  return null;
end
$$;

-- Which tables the schema of an ontology has: catalog/upgrade-ontology.ts brings older ones to the newest layout.
alter table octavo.ontologies add column layout integer not null default 1;
