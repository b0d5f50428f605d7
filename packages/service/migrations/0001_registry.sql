-- The registry: which ontology is in which schema. Everything else of an ontology is in its own schema.
-- The schema octavo exists already when this runs, because the table of applied migrations lives in it.

create table octavo.ontologies (
  rid text collate "C" primary key,
  api_name text collate "C" not null unique,
  display_name text not null,
  description text not null,
  schema_name text collate "C" not null unique
);

create table octavo.api_families (
  name text collate "C" primary key,
  ontology_rid text collate "C" not null references octavo.ontologies (rid)
);

-- Raised by every change of the registry, so that a process knows when what it remembers is old.
create table octavo.registry_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);

insert into octavo.registry_version (version) values (0);
