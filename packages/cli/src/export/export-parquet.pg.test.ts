// `octavo export --format parquet`, against a real service, read back by two other readers.
import { spawnSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PropertyType } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needingDuckdb, openDuckdb, type Duckdb } from '../../test/support/duckdb.ts'
import { readParquet } from '../../test/support/read-parquet.ts'
import { serveCommand } from '../../test/support/served-command.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

/** A component whose name every object of JavaScript has. */
const inherited = <Value>(value: Value): Readonly<Record<string, Value>> => ({ ['constructor']: value })

const types: Readonly<Record<string, PropertyType>> = {
  id: 'long',
  text: 'string',
  isNew: 'boolean',
  count: 'integer',
  size: 'double',
  price: 'decimal',
  day: 'date',
  at: 'timestamp',
  ids: { array: 'long' },
  place: { struct: { lat: { type: 'double' }, since: { type: 'timestamp' } } },
  names: { array: { struct: { first: { type: 'string' }, ...inherited({ type: 'string' as const }) } } },
}
const properties = new Map(Object.entries(types))

const full = {
  id: '9223372036854775807',
  text: '\u{1F469}\u200D\u{1F680} "a", b',
  isNew: false,
  count: -2_147_483_648,
  size: 5e-324,
  price: '99999999999999999999999999999999999.500',
  day: '0001-01-01',
  at: '9999-12-31T23:59:59.999999Z',
  ids: ['9007199254740993', '-9223372036854775808'],
  place: { lat: -0.5, since: '1969-12-31T23:59:59.000001Z' },
  names: [{ first: 'Ada' }, inherited('b')],
}
const objects = 5_500
const all: readonly Readonly<Record<string, unknown>>[] = [
  ...Array.from({ length: objects - 1 }, (_, id) => ({
    id: String(id),
    ...(id % 3 === 0 && { text: `thing ${id % 7}` }),
    ...(id % 2 === 0 && { ids: [] }),
  })),
  full,
]

const served = forAllTests(serveCommand)
beforeAll(async () => {
  await served.declare(
    defineType('thing', Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])), {
      primaryKey: 'id',
      titleProperty: 'id',
    }),
  )
  await writeFile(
    join(served.folder, 'all.ndjson'),
    all.map((object) => `${JSON.stringify(object)}\n`).join(''),
  )
  expect((await served.run(['load', 'thing', 'all.ndjson'])).err).toBe('')
})

const read = async (name: string) => readParquet(await readFile(join(served.folder, name)), properties)
const leftOvers = async () =>
  (await readdir(served.folder)).filter((name) => /[.]part$|octavo-export/.test(name))

it('a file holds every object exactly, and gets its name when it is whole', async () => {
  const end = await served.run(['export', 'thing', '--out', 'things.parquet'])
  expect(end).toMatchObject({ code: 0, out: 'Exported 5,500 objects of thing at version 1.\n', err: '' })
  expect((await read('things.parquet')).objects).toStrictEqual(all)
  expect(await leftOvers()).toEqual([])
  const named = ['export', 'thing', '--where', 'id lt 2', '--out', 'some.bin', '--format', 'parquet']
  expect((await served.run(named)).code).toBe(0)
  expect((await read('some.bin')).objects).toStrictEqual(all.slice(0, 2))
})

it('partitions are files of their own, which together are the same objects in order', async () => {
  const end = await served.run([
    'export',
    'thing',
    '--partitions',
    '3',
    '--out',
    'thing-{partition}.parquet',
    '--json',
  ])
  expect(JSON.parse(end.out)).toMatchObject({ objectCount: objects, fileCount: 3, version: '1' })
  const files = await Promise.all([1, 2, 3].map((partition) => read(`thing-${partition}.parquet`)))
  expect(files.flatMap((file) => file.objects)).toStrictEqual(all)
})

describe.skipIf(needingDuckdb !== '')(`DuckDB${needingDuckdb}`, () => {
  let duckdb: Duckdb
  beforeAll(async () => {
    duckdb = await openDuckdb()
    await duckdb.run(`set timezone = 'UTC'`)
  })
  afterAll(() => duckdb.close())

  it('reads the file with the types of the properties', async () => {
    const file = `'${join(served.folder, 'things.parquet')}'`
    const columns = await duckdb.rows(`describe select * from ${file}`)
    expect(Object.fromEntries(columns.map((row) => [row['column_name'], row['column_type']]))).toEqual({
      id: 'BIGINT',
      text: 'VARCHAR',
      isNew: 'BOOLEAN',
      count: 'INTEGER',
      size: 'DOUBLE',
      price: 'VARCHAR',
      day: 'DATE',
      at: 'TIMESTAMP WITH TIME ZONE',
      ids: 'BIGINT[]',
      place: 'STRUCT(lat DOUBLE, since TIMESTAMP WITH TIME ZONE)',
      names: 'STRUCT("first" VARCHAR, constructor VARCHAR)[]',
    })
    const [row] = await duckdb.rows(
      `select id::text as id, text, isNew, count, size, price, day::text as day, epoch_us("at")::text as at_us, ids::text as ids,
        place.lat, epoch_us(place.since)::text as since, names[1].first as first, names[2].constructor as second,
        names[2].first as none
      from ${file} where id = 9223372036854775807`,
    )
    expect(row).toEqual({
      id: full.id,
      text: full.text,
      isNew: false,
      count: full.count,
      size: 5e-324,
      price: full.price,
      day: full.day,
      at_us: '253402300799999999',
      ids: '[9007199254740993, -9223372036854775808]',
      lat: -0.5,
      since: '-999999',
      first: 'Ada',
      second: 'b',
      none: null,
    })
  })

  it('reads all partitions as one, and finds what is null', async () => {
    const files = `'${join(served.folder, 'thing-*.parquet')}'`
    expect(
      await duckdb.rows(
        `select count(*)::int as objects, count(distinct id)::int as ids, count(text)::int as texts, count(ids)::int as arrays,
          count(*) filter (len(ids) = 0)::int as empty from ${files}`,
      ),
    ).toEqual([{ objects, ids: objects, texts: 1_834, arrays: 2_751, empty: 2_750 }])
  })
})

it('an export that was stopped leaves no file, and starts again', async () => {
  const stop = new AbortController()
  let pages = 0
  const end = await served.run(['export', 'thing', '--out', 'stopped.parquet'], {
    stopAsked: stop.signal,
    fetch: async (url, init) => {
      if (typeof url === 'string' && url.endsWith('/search') && (pages += 1) === 3) stop.abort()
      return fetch(url, init)
    },
  })
  expect(end).toMatchObject({
    code: 130,
    err: expect.stringContaining(
      'A Parquet file cannot be continued. To start over:\n  octavo export thing --out stopped.parquet --format parquet\n',
    ),
  })
  expect(await readdir(served.folder)).not.toContain('stopped.parquet')
  expect(await leftOvers()).toEqual([])
  expect((await served.run(['export', 'thing', '--out', 'stopped.parquet'])).code).toBe(0)
  expect((await read('stopped.parquet')).objects).toStrictEqual(all)
})

it.each([
  [[], 'Parquet can only be written to a file, because readers begin at its end: give --out FILE'],
  [['--out', 'pipe'], 'Parquet can only be written to a file'],
  [['--out', 'a.parquet', '--resume'], 'leave --resume away to start over, or export with --format ndjson.'],
  [
    ['--out', 'a.parquet', '--partitions', '2'],
    `as in --out 'a-{partition}.parquet'. Programs that read Parquet take`,
  ],
])('what Parquet cannot do is refused with what to do instead: %j', async (flags, says) => {
  spawnSync('sh', ['-c', 'mkfifo "$0"', join(served.folder, 'pipe')])
  const end = await served.run(['export', 'thing', '--format', 'parquet', ...flags])
  expect(end).toMatchObject({ code: 2, out: '', err: expect.stringContaining(says) })
})
