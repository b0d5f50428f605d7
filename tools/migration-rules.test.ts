import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { breakingStatements } from './migration-rules.ts'

const folder = join(import.meta.dirname, '../packages/service/migrations')
const migrations = readdirSync(folder).filter((file) => file.endsWith('.sql'))

it.for(migrations)('%s only adds, so that instances of the last release keep working', (file) => {
  expect(breakingStatements(readFileSync(join(folder, file), 'utf8'))).toEqual([])
})

describe('a migration is refused that', () => {
  it.for([
    'drop table octavo.grants',
    'drop index octavo.grants_of_principal',
    'drop function octavo.raise_access_version() cascade',
    'truncate octavo.audit',
    'alter table octavo.grants rename to rights',
    'alter table octavo.grants rename column role to kind',
    'alter table octavo.grants drop column role',
    'alter table octavo.grants alter column role type integer using 0',
    'alter table octavo.grants alter column role set not null',
    'alter table octavo.grants alter column role drop default',
    'alter table octavo.grants add column since timestamp not null',
    "alter table octavo.grants add column a text default '', drop column role",
    'alter table octavo.grants add column code text unique',
    'alter table octavo.grants add column rid text references octavo.ontologies (rid)',
    "alter table octavo.grants add constraint few check (role <> '')",
    'alter schema octavo rename to elsewhere',
    'create unique index one_role on octavo.grants (role)',
    'create trigger noisy after insert on octavo.grants for each row execute function octavo.shout()',
    'create or replace function octavo.raise_access_version() returns trigger language plpgsql as $$ begin return null; end $$',
    "insert into octavo.ontologies values ('a')",
    "update octavo.grants set role = 'owner'",
    'delete from octavo.grants',
    'lock table octavo.grants',
    '-- harmless\nDROP /* quietly */ TABLE octavo.grants',
  ])('says %j', (sql) => {
    expect(breakingStatements(`create table octavo.fresh (id text primary key);\n${sql};`)).toHaveLength(1)
  })
})

it.for([
  'alter table octavo.grants add column since timestamp',
  "alter table octavo.grants add column note text not null default 'none, drop it'",
  'alter table octavo.grants add column a integer, add column b numeric(10, 2) default 0',
  'create index grants_by_role on octavo.grants (role)',
  'create unique index one_name on octavo.fresh (name)',
  "insert into octavo.fresh values ('a;b')",
  'create trigger noisy after insert on octavo.fresh for each row execute function octavo.shout()',
  'create function octavo.shout() returns trigger language plpgsql as $$ begin drop table x; return null; end $$',
  "comment on table octavo.grants is 'who may do what'",
])('a migration may say %j', (sql) => {
  expect(breakingStatements(`create table octavo.fresh (id text primary key);\n${sql};`)).toEqual([])
})
