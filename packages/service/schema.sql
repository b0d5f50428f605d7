-- The tables of Octavo, as PostgreSQL has them after all migrations: the registry (octavo), and one ontology
-- (octavo_example) whose object type 1 is that of packages/service/test/support/employee.ts.
-- This file is generated and never run; change the migrations or catalog/ and run `npm run generate`.

create table octavo.access_tokens (
  id text collate "C" not null,
  hash text collate "C" not null,
  subject text collate "C" not null,
  groups text[] not null,
  scopes text[] not null,
  description text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (hash)
);
CREATE TRIGGER raise_access_version AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON octavo.access_tokens FOR EACH STATEMENT EXECUTE FUNCTION octavo.raise_access_version();

create table octavo.access_version (
  only_row boolean default true not null,
  version bigint not null,
  tag text default ''::text not null,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

create table octavo.api_families (
  name text collate "C" not null,
  ontology_rid text collate "C" not null,
  PRIMARY KEY (name),
  FOREIGN KEY (ontology_rid) REFERENCES octavo.ontologies(rid)
);

create table octavo.audit (
  at timestamp without time zone not null,
  id text collate "C" not null,
  subject text collate "C" not null,
  action text collate "C" not null,
  ontology_rid text collate "C",
  object_type text collate "C",
  details jsonb,
  walk_id text collate "C",
  mode text collate "C",
  ended_by text collate "C",
  objects bigint,
  bytes bigint,
  PRIMARY KEY (at, id)
);

create table octavo.grants (
  ontology_rid text collate "C" not null,
  principal_type text collate "C" not null,
  principal_name text collate "C" not null,
  role text collate "C" not null,
  PRIMARY KEY (ontology_rid, principal_type, principal_name),
  CHECK ((principal_type = ANY (ARRAY['subject'::text, 'group'::text]))),
  CHECK ((role = ANY (ARRAY['reader'::text, 'writer'::text, 'owner'::text]))),
  FOREIGN KEY (ontology_rid) REFERENCES octavo.ontologies(rid)
);
CREATE INDEX grants_of_principal ON octavo.grants USING btree (principal_type, principal_name);
CREATE TRIGGER raise_access_version AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON octavo.grants FOR EACH STATEMENT EXECUTE FUNCTION octavo.raise_access_version();

create table octavo.migrations (
  id integer default nextval('octavo.migrations_id_seq'::regclass) not null,
  name character varying(255) not null,
  run_on timestamp without time zone not null,
  PRIMARY KEY (id)
);

create table octavo.ontologies (
  rid text collate "C" not null,
  api_name text collate "C" not null,
  display_name text not null,
  description text not null,
  schema_name text collate "C" not null,
  layout integer not null,
  PRIMARY KEY (rid),
  UNIQUE (api_name),
  UNIQUE (schema_name)
);

create table octavo.registry_version (
  only_row boolean default true not null,
  version bigint not null,
  tag text default ''::text not null,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

create table octavo_example.audit (
  at timestamp without time zone not null,
  id text collate "C" not null,
  subject text collate "C" not null,
  action text collate "C" not null,
  object_type text collate "C",
  details jsonb,
  objects bigint,
  PRIMARY KEY (at, id)
);

create table octavo_example.catalog_version (
  only_row boolean not null,
  version bigint not null,
  tag text default ''::text not null,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

create table octavo_example.clock (
  object_type integer not null,
  version bigint not null,
  live bigint not null,
  floor bigint not null,
  floor_raised_at timestamp without time zone not null,
  revision integer not null,
  revision_tag text not null,
  largest integer not null,
  epoch bigint not null,
  epoch_rows bigint not null,
  floor_epoch bigint not null,
  checksum numeric not null,
  changes_from bigint not null,
  counts_from bigint,
  PRIMARY KEY (object_type)
) with (fillfactor=10);

create table octavo_example.commits (
  object_type integer not null,
  version bigint not null,
  committed_at timestamp without time zone not null,
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
  PRIMARY KEY (object_type, version)
);
CREATE UNIQUE INDEX commits_idempotency_key ON octavo_example.commits USING btree (object_type, idempotency_key) WHERE (idempotency_key IS NOT NULL);

create table octavo_example.idempotency_keys (
  key text collate "C" not null,
  used_at timestamp without time zone not null,
  PRIMARY KEY (key)
);
CREATE INDEX idempotency_keys_used_at ON octavo_example.idempotency_keys USING btree (used_at);

create table octavo_example.load_parts (
  load text collate "C" not null,
  part bigint not null,
  digest text not null,
  objects bigint not null,
  largest integer not null,
  received_at timestamp without time zone not null,
  PRIMARY KEY (load, part)
);

create table octavo_example.loads (
  load text collate "C" not null,
  object_type integer not null,
  revision integer not null,
  revision_tag text not null,
  version bigint not null,
  replaces boolean not null,
  phase text not null,
  begun_at timestamp without time zone not null,
  ended_at timestamp without time zone,
  receipt text,
  PRIMARY KEY (load)
);

create table octavo_example.object_types (
  id integer not null,
  api_name text collate "C" not null,
  revision integer not null,
  revision_tag text not null,
  stored text not null,
  PRIMARY KEY (id),
  UNIQUE (api_name)
);

create table octavo_example.sources (
  name text collate "C" not null,
  position_order text collate "C" not null,
  generation bigint not null,
  "position" text collate "C" not null,
  sort_key text collate "C" not null,
  digest text,
  moved_at timestamp without time zone not null,
  version bigint,
  created bigint not null,
  updated bigint not null,
  deleted bigint not null,
  unchanged bigint not null,
  PRIMARY KEY (name)
) with (fillfactor=50);

create table octavo_example.staged (
  batch text not null,
  ordinal bigint not null,
  pk text collate "C" not null,
  deleted boolean not null,
  scalars text,
  others text,
  columns text[],
  PRIMARY KEY (batch, ordinal)
);

create table octavo_example.staged_batches (
  batch text not null,
  begun_at timestamp without time zone not null,
  PRIMARY KEY (batch)
);

create table octavo_example.t1_changes (
  version bigint not null,
  pk text collate "C" not null,
  version_before bigint,
  deleted boolean not null,
  PRIMARY KEY (version, pk)
);
CREATE INDEX t1_changes_deleted ON octavo_example.t1_changes USING btree (pk, version) WHERE deleted;

create table octavo_example.t1_current (
  pk text collate "C" not null,
  version_from bigint not null,
  scalars text not null,
  others text,
  p1 text collate "C",
  p2 text[] collate "C",
  p3 text collate "C",
  p4 integer,
  p5 numeric,
  p6 bigint,
  p7 double precision,
  p8 timestamp without time zone,
  p9 date,
  p10 boolean,
  p11 text collate "C",
  p12 text[] collate "C",
  p13 text[] collate "C",
  p14 text[] collate "C",
  p15 text[] collate "C",
  p16 text[] collate "C",
  p17 text[] collate "C",
  p18 text[] collate "C",
  p19 text collate "C",
  p20 integer,
  p21 text[] collate "C",
  p22 bigint,
  PRIMARY KEY (pk)
);
CREATE INDEX t1_current_i1 ON octavo_example.t1_current USING btree (p1, pk);
CREATE INDEX t1_current_i2 ON octavo_example.t1_current USING gin (array_to_tsvector(array_remove(p2, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_current_i3 ON octavo_example.t1_current USING btree (p3, pk);
CREATE INDEX t1_current_i4 ON octavo_example.t1_current USING btree (p4, pk);
CREATE INDEX t1_current_i5 ON octavo_example.t1_current USING btree (p5, pk);
CREATE INDEX t1_current_i6 ON octavo_example.t1_current USING btree (p6, pk);
CREATE INDEX t1_current_i7 ON octavo_example.t1_current USING btree (p7, pk);
CREATE INDEX t1_current_i8 ON octavo_example.t1_current USING btree (p8, pk);
CREATE INDEX t1_current_i9 ON octavo_example.t1_current USING btree (p9, pk);
CREATE INDEX t1_current_i10 ON octavo_example.t1_current USING btree (p10, pk);
CREATE INDEX t1_current_i11 ON octavo_example.t1_current USING btree ("left"(p11, 250), pk);
CREATE INDEX t1_current_i12 ON octavo_example.t1_current USING gin (array_to_tsvector(array_remove(p12, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_current_i13 ON octavo_example.t1_current USING gin (p13) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_current_i14 ON octavo_example.t1_current USING gin (p14) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_current_i15 ON octavo_example.t1_current USING gin (array_to_tsvector(array_remove(p15, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_current_i16 ON octavo_example.t1_current USING gin (array_to_tsvector(array_remove(p16, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_current_i17 ON octavo_example.t1_current USING gin (p17) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_current_i18 ON octavo_example.t1_current USING gin (array_to_tsvector(array_remove(p18, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_current_i19 ON octavo_example.t1_current USING btree ("left"(p19, 250), pk);
CREATE INDEX t1_current_i20 ON octavo_example.t1_current USING btree (p20, pk);
CREATE INDEX t1_current_i21 ON octavo_example.t1_current USING gin (array_to_tsvector(array_remove(p21, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_current_i22 ON octavo_example.t1_current USING btree (p3, p4 DESC NULLS LAST, pk DESC NULLS LAST);
CREATE INDEX t1_current_i23 ON octavo_example.t1_current USING btree (p10 DESC NULLS LAST, p8, p7 DESC NULLS LAST, pk DESC NULLS LAST);

create table octavo_example.t1_history (
  pk text collate "C" not null,
  version_from bigint not null,
  scalars text not null,
  others text,
  p1 text collate "C",
  p2 text[] collate "C",
  p3 text collate "C",
  p4 integer,
  p5 numeric,
  p6 bigint,
  p7 double precision,
  p8 timestamp without time zone,
  p9 date,
  p10 boolean,
  p11 text collate "C",
  p12 text[] collate "C",
  p13 text[] collate "C",
  p14 text[] collate "C",
  p15 text[] collate "C",
  p16 text[] collate "C",
  p17 text[] collate "C",
  p18 text[] collate "C",
  p19 text collate "C",
  p20 integer,
  p21 text[] collate "C",
  p22 bigint,
  version_to bigint not null,
  epoch bigint not null,
  PRIMARY KEY (epoch, pk, version_from)
);
CREATE INDEX t1_history_version_to ON octavo_example.t1_history USING btree (version_to);
CREATE INDEX t1_history_i1 ON octavo_example.t1_history USING btree (epoch, p1, pk);
CREATE INDEX t1_history_i2 ON octavo_example.t1_history USING gin (array_to_tsvector(array_remove(p2, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_history_i3 ON octavo_example.t1_history USING btree (epoch, p3, pk);
CREATE INDEX t1_history_i4 ON octavo_example.t1_history USING btree (epoch, p4, pk);
CREATE INDEX t1_history_i5 ON octavo_example.t1_history USING btree (epoch, p5, pk);
CREATE INDEX t1_history_i6 ON octavo_example.t1_history USING btree (epoch, p6, pk);
CREATE INDEX t1_history_i7 ON octavo_example.t1_history USING btree (epoch, p7, pk);
CREATE INDEX t1_history_i8 ON octavo_example.t1_history USING btree (epoch, p8, pk);
CREATE INDEX t1_history_i9 ON octavo_example.t1_history USING btree (epoch, p9, pk);
CREATE INDEX t1_history_i10 ON octavo_example.t1_history USING btree (epoch, p10, pk);
CREATE INDEX t1_history_i11 ON octavo_example.t1_history USING btree (epoch, "left"(p11, 250), pk);
CREATE INDEX t1_history_i12 ON octavo_example.t1_history USING gin (array_to_tsvector(array_remove(p12, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_history_i13 ON octavo_example.t1_history USING gin (p13) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_history_i14 ON octavo_example.t1_history USING gin (p14) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_history_i15 ON octavo_example.t1_history USING gin (array_to_tsvector(array_remove(p15, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_history_i16 ON octavo_example.t1_history USING gin (array_to_tsvector(array_remove(p16, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_history_i17 ON octavo_example.t1_history USING gin (p17) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_history_i18 ON octavo_example.t1_history USING gin (array_to_tsvector(array_remove(p18, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_history_i19 ON octavo_example.t1_history USING btree (epoch, "left"(p19, 250), pk);
CREATE INDEX t1_history_i20 ON octavo_example.t1_history USING btree (epoch, p20, pk);
CREATE INDEX t1_history_i21 ON octavo_example.t1_history USING gin (array_to_tsvector(array_remove(p21, ''::text))) WITH (fastupdate='on', gin_pending_list_limit='64');
CREATE INDEX t1_history_i22 ON octavo_example.t1_history USING btree (epoch, p3, p4 DESC NULLS LAST, pk DESC NULLS LAST);
CREATE INDEX t1_history_i23 ON octavo_example.t1_history USING btree (epoch, p10 DESC NULLS LAST, p8, p7 DESC NULLS LAST, pk DESC NULLS LAST);
