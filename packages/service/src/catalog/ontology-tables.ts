// The tables that every ontology's schema has, whatever its object types are. A change of them is a new layout: new ontologies
// are created with it, older ones are upgraded to it (upgrade-ontology.ts).

/** The statements that upgrade an ontology's schema from the layout before to this one; they can be run again. */
export type LayoutSteps = Readonly<Record<number, (schema: string) => readonly string[]>>

/** Where each source of batches is, with the receipt of the last one (write/commit/move-source.ts). A row stays for as long as its source. */
const createSources = (schema: string): string => `create table if not exists ${schema}.sources (
    name text collate "C" primary key,
    position_order text collate "C" not null,
    generation bigint not null,
    position text collate "C" not null,
    sort_key text collate "C" not null,
    digest text,
    moved_at timestamp not null,
    version bigint,
    created bigint not null,
    updated bigint not null,
    deleted bigint not null,
    unchanged bigint not null
  ) with (fillfactor = 50)`

/** By the number of the layout that they lead to. */
export const layoutSteps: LayoutSteps = {
  2: (schema) => [
    createSources(schema),
    `alter table ${schema}.commits add column if not exists source text collate "C"`,
    `alter table ${schema}.commits add column if not exists source_generation bigint`,
    `alter table ${schema}.commits add column if not exists source_position text collate "C"`,
  ],
}

export const newestLayout = (steps: LayoutSteps = layoutSteps): number =>
  Math.max(1, ...Object.keys(steps).map(Number))

/** Run in one transaction with the insertion of the ontology's row into the registry. */
export const createOntologyTables = (schema: string): readonly string[] => [
  // On Citus, the schema lives whole on one worker. PostgreSQL alone ignores the setting.
  'set local citus.enable_schema_based_sharding = on',
  `create schema ${schema}`,

  // Raised by every change of an object type of this ontology. Such changes also queue at this row.
  `create table ${schema}.catalog_version (only_row boolean primary key check (only_row), version bigint not null, tag text not null default '')`,
  `insert into ${schema}.catalog_version (only_row, version) values (true, 0)`,

  `create table ${schema}.object_types (
    id integer primary key,
    api_name text collate "C" not null unique,
    revision integer not null,
    revision_tag text not null,
    stored text not null
  )`,

  // One row per type, updated by every commit: free space in the page keeps the updates in place.
  `create table ${schema}.clock (
    object_type integer primary key,
    version bigint not null,
    live bigint not null,
    floor bigint not null,
    floor_raised_at timestamp not null,
    revision integer not null,
    revision_tag text not null,
    largest integer not null,
    epoch bigint not null,
    epoch_rows bigint not null,
    floor_epoch bigint not null,
    checksum numeric not null,
    changes_from bigint not null,
    counts_from bigint
  ) with (fillfactor = 10)`,

  `create table ${schema}.commits (
    object_type integer not null,
    version bigint not null,
    committed_at timestamp not null,
    tag text not null,
    live bigint not null,
    created bigint not null,
    updated bigint not null,
    deleted bigint not null,
    unchanged bigint not null,
    idempotency_key text collate "C",
    digest text,
    epoch bigint not null,
    checksum numeric not null,
    source text collate "C",
    source_generation bigint,
    source_position text collate "C",
    primary key (object_type, version)
  )`,
  `create unique index commits_idempotency_key on ${schema}.commits (object_type, idempotency_key) where idempotency_key is not null`,

  // The objects of a large batch, before they are applied. No transaction is open meanwhile: it would keep alive every row that
  // others delete. The leftovers of an abandoned batch are found by its name, which is not in staged_batches.
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

  // The large batches that are being staged, so that the leftovers of an abandoned one can be found.
  `create table ${schema}.staged_batches (
    batch text primary key,
    begun_at timestamp not null
  )`,

  createSources(schema),

  // Who changed what. It is here and not in the registry because the transaction of the change writes it.
  `create table ${schema}.audit (
    at timestamp not null,
    id text collate "C" not null,
    subject text collate "C" not null,
    action text collate "C" not null,
    object_type text collate "C",
    details jsonb,
    objects bigint,
    primary key (at, id)
  )`,

  // The table of commits keeps keys unique only within a type; a key stands for one batch in the whole ontology.
  `create table ${schema}.idempotency_keys (
    key text collate "C" primary key,
    used_at timestamp not null
  )`,
  `create index idempotency_keys_used_at on ${schema}.idempotency_keys (used_at)`,

  // The loads, each with its own table (write/bulk/load-table.ts), and how each ended. The version is the one that its rows
  // are written with.
  `create table ${schema}.loads (
    load text collate "C" primary key,
    object_type integer not null,
    revision integer not null,
    revision_tag text not null,
    version bigint not null,
    replaces boolean not null,
    phase text not null,
    begun_at timestamp not null,
    ended_at timestamp,
    receipt text
  )`,

  // Written in the transaction that writes the rows of the part, so a part is in both or in neither.
  `create table ${schema}.load_parts (
    load text collate "C" not null,
    part bigint not null,
    digest text not null,
    objects bigint not null,
    largest integer not null,
    received_at timestamp not null,
    primary key (load, part)
  )`,
]
