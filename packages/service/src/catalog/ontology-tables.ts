// What every ontology's schema holds, whatever its object types are. A change of it is a new layout: new ontologies are
// made with it, older ones are brought to it (upgrade-ontology.ts).

export const newestLayout = 2

/** Tables and their indexes only, so that both ways make them alike. */
const addedByLayout2 = (schema: string): readonly string[] => [
  // The large batches that are being staged, so that what a lost one left behind is found.
  `create table if not exists ${schema}.staged_batches (
    batch text primary key,
    begun_at timestamp not null
  )`,

  // Who changed what. Here and not in the registry, because it is written by the transaction of the change.
  `create table if not exists ${schema}.audit (
    at timestamp not null,
    id text collate "C" not null,
    subject text collate "C" not null,
    action text collate "C" not null,
    object_type text collate "C",
    target text collate "C",
    objects bigint,
    primary key (at, id)
  )`,

  // Commits are unlike in their keys only within a type; a key stands for one batch in the whole ontology.
  `create table if not exists ${schema}.idempotency_keys (
    key text collate "C" primary key,
    used_at timestamp not null
  )`,
  `create index if not exists idempotency_keys_used_at on ${schema}.idempotency_keys (used_at)`,
]

/** What brings the schema of an ontology from the layout before to this one; can be run again. */
export const layoutSteps: Readonly<Record<number, (schema: string) => readonly string[]>> = {
  2: (schema) => [
    `alter table ${schema}.catalog_version add column if not exists tag text not null default ''`,
    `alter table ${schema}.object_types add column if not exists revision_tag text not null default ''`,
    `alter table ${schema}.clock add column if not exists revision_tag text not null default ''`,
    ...addedByLayout2(schema),
    `insert into ${schema}.idempotency_keys (key, used_at)
    select idempotency_key, max(committed_at) from ${schema}.commits where idempotency_key is not null
    group by idempotency_key on conflict do nothing`,
  ],
}

/** Made in one transaction with the ontology's row in the registry. */
export const createOntologyTables = (schema: string): readonly string[] => [
  `create schema ${schema}`,

  // Raised by every change of an object type of this ontology; also what such changes queue behind.
  `create table ${schema}.catalog_version (only_row boolean primary key check (only_row), version bigint not null, tag text not null default '')`,
  `insert into ${schema}.catalog_version (only_row, version) values (true, 0)`,

  `create table ${schema}.object_types (
    id integer primary key,
    api_name text collate "C" not null unique,
    revision integer not null,
    stored text not null,
    revision_tag text not null default ''
  )`,

  // One row per type, written by every commit: room in the page keeps the updates in place.
  `create table ${schema}.clock (
    object_type integer primary key,
    version bigint not null,
    live bigint not null,
    floor bigint not null,
    floor_raised_at timestamp not null,
    revision integer not null,
    largest integer not null,
    revision_tag text not null default ''
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

  // Objects of a large batch, before they are applied. No transaction is open meanwhile: it would keep every row alive that
  // others delete. What a lost batch leaves behind is found by its name, which is not in staged_batches.
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
  ...addedByLayout2(schema),
]
