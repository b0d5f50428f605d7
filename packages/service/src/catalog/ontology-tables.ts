// What every ontology's schema holds, whatever its object types are.

/** Made in one transaction with the ontology's row in the registry. */
export const createOntologyTables = (schema: string): readonly string[] => [
  `create schema ${schema}`,

  // Raised by every change of an object type of this ontology; also what such changes queue behind.
  `create table ${schema}.catalog_version (only_row boolean primary key check (only_row), version bigint not null)`,
  `insert into ${schema}.catalog_version (only_row, version) values (true, 0)`,

  `create table ${schema}.object_types (
    id integer primary key,
    api_name text collate "C" not null unique,
    revision integer not null,
    stored text not null
  )`,

  // One row per type, written by every commit: room in the page keeps the updates in place.
  `create table ${schema}.clock (
    object_type integer primary key,
    version bigint not null,
    live bigint not null,
    floor bigint not null,
    floor_raised_at timestamp not null,
    revision integer not null,
    largest integer not null
  ) with (fillfactor = 10)`,

  `create table ${schema}.commits (
    object_type integer not null,
    version bigint not null,
    committed_at timestamp not null,
    tag text not null,
    live bigint not null,
    put bigint not null,
    deleted bigint not null,
    unchanged bigint not null,
    idempotency_key text collate "C",
    digest text,
    primary key (object_type, version)
  )`,
  `create unique index commits_idempotency_key on ${schema}.commits (object_type, idempotency_key) where idempotency_key is not null`,

  // Objects of a large batch, before they are applied. Only the writing transaction ever sees its rows.
  `create table ${schema}.staged (
    batch text not null,
    ordinal bigint not null,
    pk text collate "C" not null,
    deleted boolean not null,
    scalars text,
    others text,
    columns text[],
    primary key (batch, ordinal)
  )`,
]
