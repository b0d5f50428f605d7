// From a table of PostgreSQL to objects, with every common type.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshDatabase, forAllTests } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { serveCommand } from '../../test/support/served-command.ts'
import { typing } from '../../test/support/served-octavo.ts'

const octavo = forAllTests(serveCommand)
const source = forAllTests(freshDatabase)
let client: Client
/** Without the password, which is in PGPASSWORD. */
let url = ''
beforeAll(async () => {
  client = new Client({ connectionString: source.url })
  await client.connect()
  await client.query('drop schema octavo cascade')
  const whole = new URL(source.url)
  vi.stubEnv('PGPASSWORD', decodeURIComponent(whole.password))
  whole.password = ''
  url = whole.href
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await client.end()
})

const sql = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows
const tried = (...words: readonly string[]) => octavo.run([...words, '--source-url', url])
const run = async (...words: readonly string[]) => {
  const ran = await octavo.run(words)
  expect(ran.code, `octavo ${words.join(' ')}: ${ran.err}`).toBe(0)
  return ran.out
}
const fromSource = (...words: readonly string[]) => run(...words, '--source-url', url)
const found = async (objectType: string, key: string): Promise<Record<string, unknown>> =>
  (
    JSON.parse(await run('get', objectType, key, '-o', 'json')) as {
      readonly properties: Record<string, unknown>
    }
  ).properties
const definitionOf = (name: string): string => readFileSync(join(octavo.folder, name), 'utf8')

it('a table with every common type becomes a type with the same values', async () => {
  await sql(`create type mood as enum ('glad', 'sad');
    create domain price as numeric(12, 2) not null;
    create table everything (
      id bigint primary key, small smallint not null, whole integer, "Big Number" bigint, exact numeric, cost price,
      account_no numeric(18, 0), real4 real, real8 double precision, flag boolean not null, day date, at timestamptz,
      local timestamp, code uuid, title text not null, short varchar(10), padded char(5), feeling mood, clock time,
      span interval, address inet, numbers int[], bigs bigint[], exacts numeric[], words text[], flags boolean[],
      days date[], moments timestamptz[], locals timestamp[], bytes bytea, doc jsonb, search tsvector);
    insert into everything values (9007199254740993, -32768, 2147483647, 9223372036854775807,
      '12345678901234567890.123456789', 12.5, 123456789012345678, 0.1, 1e-300, true, '0001-01-01',
      '2024-02-29 23:30:00.123456+05:30', '2024-02-29 23:30', '0f4e1b9a-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
      E'two\\nlines, "quoted", tab\\t, back\\\\slash, \\r\\n, é😀, \\\\.', '', 'ab', 'sad', '23:59:59.5', '1 day 02:00',
      '10.0.0.1/8', '{1,-2}', '{9223372036854775807}', '{1.50,2}', '{"a,b","c\\"d",""}', '{t,f}', '{2024-02-29}',
      '{2024-02-29 12:00+02}', '{2024-02-29 12:00}', '\\xdead', '{"a": 1}', 'a');
    insert into everything (id, small, cost, flag, title, real8) values (1, 1, 0, false, ' ', '-0'), (2, 2, 0, false, '""', 5)`)
  const said = await fromSource('init', '--from-table', 'everything')
  expect(said).toContain('Looked at 3 rows of public.everything, all of them.')
  expect(said).toContain('Left out: bytes (bytea: no type holds bytes).')
  expect(said).toContain(`octavo load everything --from-table everything --source-url ${url}`)
  const yaml = definitionOf('everything.yaml')
  expect(yaml).toContain('primaryKey: id # the primary key of the table')
  expect(yaml).toMatch(/local: \{ type: timestamp.* # timestamp without time zone: read as UTC/)
  expect(yaml).toMatch(/# Left out: doc \(jsonb: its shape is not declared/)
  expect(yaml).toMatch(/small: \{ type: integer, required: true/)
  expect(yaml).toMatch(/whole: \{ type: integer, searchable: true/)
  await run('apply', '-f', 'everything.yaml')
  expect(await fromSource('load', 'everything', '--from-table', 'everything')).toContain(
    '3 created, 0 updated, 0 unchanged, 0 rejected',
  )
  expect(await found('everything', '9007199254740993')).toEqual({
    id: '9007199254740993',
    small: -32_768,
    whole: 2_147_483_647,
    bigNumber: '9223372036854775807',
    exact: '12345678901234567890.123456789',
    cost: '12.50',
    accountNo: '123456789012345678',
    real4: 0.1,
    real8: 1e-300,
    flag: true,
    day: '0001-01-01',
    at: '2024-02-29T18:00:00.123456Z',
    local: '2024-02-29T23:30:00Z',
    code: '0f4e1b9a-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
    title: 'two\nlines, "quoted", tab\t, back\\slash, \r\n, é😀, \\.',
    short: '',
    padded: 'ab',
    feeling: 'sad',
    clock: '23:59:59.5',
    span: 'P1DT2H',
    address: '10.0.0.1/8',
    numbers: [1, -2],
    bigs: ['9223372036854775807'],
    exacts: ['1.50', '2'],
    words: ['a,b', 'c"d', ''],
    flags: [true, false],
    days: ['2024-02-29'],
    moments: ['2024-02-29T10:00:00Z'],
    locals: ['2024-02-29T12:00:00Z'],
  })
  expect(await found('everything', '1')).toEqual({
    id: '1',
    small: 1,
    cost: '0.00',
    flag: false,
    title: ' ',
    // It is stored as -0.0, but JSON.stringify prints 0.
    real8: 0,
  })
  const again = await tried('load', 'everything', '--from-table', 'public.everything')
  expect(again.out).toContain('0 created, 0 updated, 3 unchanged')
  expect(again.err).toBe('Left out, because everything has no such property: bytes, doc, search.\n')
})

it('a column that no type of ours can hold becomes text, with a note', async () => {
  await sql(`create table ends (id int primary key, until date, seen timestamptz, amount numeric, ratio float8, gaps int[]);
    insert into ends values (1, 'infinity', '-infinity', 'NaN', 'Infinity', '{1,null}'),
      (2, '2024-01-02', '2024-01-02 03:04Z', 1.5, 0.5, '{2}'), (3, '0044-03-15 BC', null, 1, null, null)`)
  const said = await fromSource('init', '--from-table', 'ends', '--yes')
  expect(said).toContain('Left out: gaps (it has a null inside a list, which no type can hold).')
  expect(said).toContain('3 created, 0 updated, 0 unchanged, 0 rejected')
  expect(definitionOf('ends.yaml')).toContain('# date, kept as text because of values such as "infinity"')
  expect(await found('ends', '1')).toEqual({
    id: 1,
    until: 'infinity',
    seen: '-infinity',
    amount: 'NaN',
    ratio: 'Infinity',
  })
  expect(await found('ends', '2')).toMatchObject({ until: '2024-01-02', amount: '1.5', ratio: '0.5' })
})

it('names that need quotes, in SQL and here', async () => {
  await sql(`create schema "My Shop"; create table "My Shop"."Order ""Lines""; drop" (
      "Line ID" int primary key, "select" text, "a""b" text);
    insert into "My Shop"."Order ""Lines""; drop" values (1, 'x', 'y')`)
  const name = 'My Shop.Order "Lines"; drop'
  expect(await fromSource('init', '--from-table', name, '--yes')).toContain('1 created')
  expect(await found('orderLinesDrop', '1')).toEqual({ lineId: 1, select: 'x', aB: 'y' })
  const quoted = '"My Shop"."Order ""Lines""; drop"'
  expect(await fromSource('load', 'orderLinesDrop', '--from-table', quoted)).toContain('1 unchanged')
})

it('a table without a primary key: a declared unique column, else one that is unique in the rows', async () => {
  await sql(`create table nokey (label text, number int not null unique); insert into nokey values ('a', 1), ('b', 2);
    create table guessed (label text, nokey_id int); insert into guessed values ('a', 1), ('b', 2)`)
  await fromSource('init', '--from-table', 'nokey')
  expect(definitionOf('nokey.yaml')).toContain(
    'primaryKey: number # the table declares it unique and not null',
  )
  await fromSource('init', '--from-table', 'guessed')
  expect(definitionOf('guessed.yaml')).toContain('primaryKey: nokeyId # 2 of 2 values are unique')
})

it('a key of several columns needs a view, and the error has it', async () => {
  await sql(`create table lines ("Order" int, line int, primary key (line, "Order"));
    insert into lines values (1, 1), (1, 2), (2, 1)`)
  const { code, err } = await tried('init', '--from-table', 'lines')
  expect(code).toBe(2)
  expect(err).toContain('Its primary key has 2 columns, and a key is one property.')
  const advice = /create view NAME as .*;/.exec(err)?.[0] ?? ''
  expect(advice).toContain(`concat_ws('/', line, "Order") as key`)
  await sql(advice.replace('NAME', 'keyed_lines'))
  expect(await fromSource('init', '--from-table', 'keyed_lines', '--yes')).toContain('3 created')
  expect(await found('keyedLines', '1/2')).toEqual({ key: '1/2', order: 2, line: 1 })
})

it('a numeric key, an empty table, a partitioned one, a materialized view', async () => {
  await sql(`create table n (id numeric primary key, v text); insert into n values (1.5, 'x');
    create table none (id int primary key, on_day date not null);
    create table bare (a text);
    create table parts (id int primary key, v text) partition by range (id);
    create table parts_1 partition of parts for values from (0) to (9); insert into parts values (1, 'p');
    create materialized view seen as select * from parts`)
  expect(await fromSource('init', '--from-table', 'n', '--yes')).toContain('1 created')
  expect(await found('n', '1.5')).toEqual({ id: '1.5', v: 'x' })
  await fromSource('init', '--from-table', 'none')
  expect(definitionOf('none.yaml')).toContain('onDay: { type: date, required: true }')
  const bare = await tried('init', '--from-table', 'bare')
  expect(bare).toMatchObject({ code: 2 })
  expect(bare.err).toContain(
    'public.bare has no rows and declares no key of one column: name one with --key.',
  )
  expect(await fromSource('init', '--from-table', 'parts', '--yes')).toContain('1 created')
  expect(await fromSource('init', '--from-table', 'seen', '--yes')).toContain('1 created')
})

it('a table that does not exist: names what was probably meant', async () => {
  await sql(`create schema sales; create table sales.invoices (id int primary key)`)
  const misspelt = await tried('init', '--from-table', 'everythin')
  expect(misspelt).toMatchObject({ code: 2 })
  expect(misspelt.err).toContain(
    'There is no table or view everythin; did you mean everything? The database has ',
  )
  const elsewhere = await tried('load', 'everything', '--from-table', 'invoices')
  expect(elsewhere.err).toContain('did you mean sales.invoices?')
  const injected = await tried('init', '--from-table', "x'; drop table everything; --")
  expect(injected.err).toContain('There is no table or view x')
})

it('without the right to read it, says who can give it', async () => {
  await sql(`create table secret (id int primary key); create role "some reader" login password 'p'`)
  try {
    const reader = new URL(url)
    reader.username = 'some%20reader'
    reader.password = 'p'
    const environment = { OCTAVO_SOURCE_URL: reader.href }
    const { code, err } = await octavo.run(['init', '--from-table', 'secret'], { environment })
    expect(code).toBe(1)
    expect(err).toContain('The database refused to read public.secret (permission denied for table secret).')
    expect(err).toContain('grant select on public.secret to "some reader";')
    expect(existsSync(join(octavo.folder, 'secret.yaml'))).toBe(false)
    const shown = await octavo.run(['init', '--from-table', 'secret', '--source-url', reader.href])
    expect(shown).toMatchObject({ code: 2 })
    expect(shown.err).toContain('--source-url would show a password to every user of this machine')
  } finally {
    await sql('drop role "some reader"')
  }
})

it('missing and excess columns are reported before anything is done', async () => {
  const said = async (...words: readonly string[]) => {
    const { code, err } = await octavo.run(words)
    expect(code).toBe(2)
    return err
  }
  expect(await said('init')).toContain('Give a file, or a table of PostgreSQL with --from-table TABLE.')
  expect(await said('load', 'n')).toContain('Give a file, or a table of PostgreSQL')
  expect(await said('init', 'a.csv', '--from-table', 'n')).toContain('not both')
  expect(await said('init', '--from-table', 'n')).toContain(
    'Which database has the table n? Give --source-url',
  )
  expect(await said('init', '--from-table', 'n', '--source-url', 'db/shop')).toContain(
    'postgres://USER@HOST/DATABASE',
  )
  expect(await said('load', 'n', '--source-url', 'postgres://db/shop')).toContain('Name it with --from-table')
  const resumed = await tried('load', 'n', '--from-table', 'n', '--resume')
  expect(resumed.err).toContain('A load of standard input or of a table cannot be resumed')
  const nobody = await octavo.run(['init', '--from-table', 'n', '--source-url', 'postgres://127.0.0.1:1/x'])
  expect(nobody.err).toContain('The source database failed (connect ECONNREFUSED 127.0.0.1:1)')
  const gone = new URL(url)
  gone.pathname = '/nowhere'
  const noDatabase = await octavo.run(['init', '--from-table', 'n', '--source-url', gone.href])
  expect(noDatabase.err).toContain('database "nowhere" does not exist')
})

it('asks at a terminal, and replaces a type with a table; dry runs count', async () => {
  await sql(
    `create table stock (id int primary key, pieces int); insert into stock select i, i from generate_series(1, 300) i`,
  )
  const words = ['--source-url', url]
  const asked = await octavo.run(['init', '--from-table', 'stock', ...words], typing('y\n'))
  expect(asked.err).toContain('Apply it and load public.stock now? [y/N] ')
  expect(asked.out).toContain('Loaded 300 objects of stock')
  await sql('delete from stock where id > 295; update stock set pieces = 0 where id = 1')
  expect(await fromSource('load', 'stock', '--from-table', 'stock', '--dry-run')).toContain('1 updated')
  expect(await fromSource('replace', 'stock', '--from-table', 'stock')).toContain(
    '0 created, 1 updated, 5 deleted, 294 unchanged',
  )
})

it('one load sees one state of the table, however much is written meanwhile', async () => {
  await sql(`create table moving (id int primary key, filler text);
    insert into moving select i, repeat('x', 2000) from generate_series(1, 20000) i`)
  await fromSource('init', '--from-table', 'moving', '--rows', '100')
  await run('apply', '-f', 'moving.yaml')
  const loading = fromSource('load', 'moving', '--from-table', 'moving')
  // The first rows arrive only after the statement has its state.
  for (;;) {
    const [row] = await sql(
      `select count(*)::int as n from pg_stat_activity where query like 'copy (select%'`,
    )
    if (row?.['n'] === 1) break
  }
  await sql(`update moving set filler = 'changed'; delete from moving where id % 2 = 0`)
  expect(await loading).toContain('20,000 created')
  expect(await found('moving', '20000')).toMatchObject({ filler: 'x'.repeat(2_000) })
})
