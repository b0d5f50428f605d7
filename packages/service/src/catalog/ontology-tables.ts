// The tables that every ontology's schema has, whatever its object types are. A change of them is a new layout: new ontologies
// are created with it, older ones are upgraded to it (upgrade-ontology.ts).

export const newestLayout = 6

/** Only tables and their indexes, so that creating and upgrading an ontology give the same result. */
const addedByLayout2 = (schema: string): readonly string[] => [
  // The large batches that are being staged, so that the leftovers of an abandoned one can be found.
  `create table if not exists ${schema}.staged_batches (
    batch text primary key,
    begun_at timestamp not null
  )`,

  // Who changed what. It is here and not in the registry because the transaction of the change writes it.
  `create table if not exists ${schema}.audit (
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
  `create table if not exists ${schema}.idempotency_keys (
    key text collate "C" primary key,
    used_at timestamp not null
  )`,
  `create index if not exists idempotency_keys_used_at on ${schema}.idempotency_keys (used_at)`,
]

const addedByLayout3 = (schema: string): readonly string[] => [
  // The loads, each with a table of its own (write/bulk/load-table.ts), and how each ended. The version is the one that its rows
  // are written with.
  `create table if not exists ${schema}.loads (
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
  `create table if not exists ${schema}.load_parts (
    load text collate "C" not null,
    part bigint not null,
    digest text not null,
    objects bigint not null,
    largest integer not null,
    received_at timestamp not null,
    primary key (load, part)
  )`,
]

/** The statements that upgrade an ontology's schema from the previous layout to this one; they can be run again. */
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
  // The columns of epochs (catalog/epochs.ts). Their defaults say that nothing is known of epochs yet. A release that does
  // not know the columns leaves them as they are, and so its commits can be told from those of this release.
  3: (schema) => [
    `alter table ${schema}.clock add column if not exists epoch bigint not null default 1`,
    `alter table ${schema}.clock add column if not exists epoch_rows bigint not null default 0`,
    `alter table ${schema}.clock add column if not exists epoch_version bigint not null default -1`,
    `alter table ${schema}.clock add column if not exists epochless_version bigint not null default 0`,
    `alter table ${schema}.clock add column if not exists floor_epoch bigint not null default 0`,
    `alter table ${schema}.commits add column if not exists epoch bigint`,
    ...addedByLayout3(schema),
  ],
  // Checksums (catalog/checksums.ts): their defaults say that none is known yet.
  4: (schema) => [
    `alter table ${schema}.clock add column if not exists checksum numeric not null default 0`,
    `alter table ${schema}.clock add column if not exists checksum_version bigint not null default -1`,
    `alter table ${schema}.clock add column if not exists checksum_from bigint`,
    `alter table ${schema}.commits add column if not exists checksum numeric`,
  ],
  // Changes (catalog/changes.ts): their defaults say that none are remembered yet.
  5: (schema) => [
    `alter table ${schema}.clock add column if not exists changes_version bigint not null default -1`,
    `alter table ${schema}.clock add column if not exists changes_from bigint not null default 0`,
  ],
  // Counts (catalog/counts.ts): their defaults say that none are known yet.
  6: (schema) => [
    `alter table ${schema}.clock add column if not exists counts_version bigint not null default -1`,
    `alter table ${schema}.clock add column if not exists counts_from bigint`,
  ],
}

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
    stored text not null,
    revision_tag text not null default ''
  )`,

  // One row per type, updated by every commit: free space in the page keeps the updates in place.
  `create table ${schema}.clock (
    object_type integer primary key,
    version bigint not null,
    live bigint not null,
    floor bigint not null,
    floor_raised_at timestamp not null,
    revision integer not null,
    largest integer not null,
    revision_tag text not null default '',
    epoch bigint not null default 1,
    epoch_rows bigint not null default 0,
    epoch_version bigint not null default -1,
    epochless_version bigint not null default 0,
    floor_epoch bigint not null default 0,
    checksum numeric not null default 0,
    checksum_version bigint not null default -1,
    checksum_from bigint,
    changes_version bigint not null default -1,
    changes_from bigint not null default 0,
    counts_version bigint not null default -1,
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
    epoch bigint,
    checksum numeric,
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
  ...addedByLayout2(schema),
  ...addedByLayout3(schema),
]
