import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { serveCommand } from '../../test/support/served-command.ts'
import { typing } from '../../test/support/served-octavo.ts'

const octavo = forAllTests(serveCommand)

const put = (name: string, text: string) => writeFileSync(join(octavo.folder, name), text)
const run = async (...words: readonly string[]) => {
  const ran = await octavo.run(words)
  expect(ran.code, `octavo ${words.join(' ')}: ${ran.err}`).toBe(0)
  return ran.out
}
const listed = async (...words: readonly string[]): Promise<readonly Record<string, unknown>[]> =>
  (await run('list', ...words, '--json'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { properties: Record<string, unknown> }).properties)

/** Columns that are easily guessed wrong. */
const hardColumns: Readonly<Record<string, readonly string[]>> = {
  'Record No.': ['1', '2', '3', '4'],
  zip: ['01234', '99999', '00000', '10115'],
  phone: ['+4930123', '+4930124', '', '030'],
  big: ['9007199254740993', '-9223372036854775808', '0', '1'],
  huge: ['99999999999999999999', '1', '', '2'],
  'Größe (cm)': ['12.50', '0.1', '-3', '7'],
  tiny: ['1e-9', '2.5', '3', '-1E+3'],
  mixed: ['1', 'n/a', '', '2.5'],
  emptyText: ['1', '""', '2', '3'],
  negativeZero: ['-0', '1', '2', '3'],
  day: ['2024-02-29', '0001-01-01', '', '9999-12-31'],
  noDay: ['2023-02-29', '2024-01-01', '2024-01-02', '2024-01-03'],
  german: ['29.02.2024', '01.03.2024', '', '02.03.2024'],
  moment: ['2024-02-29T10:00Z', '2024-02-29T10:00:00.123456+02:00', '', '2024-02-29t10:00:00z'],
  local: ['2024-02-29 10:00:00', '2024-02-29T10:00:00', '', '2024-03-01 10:00:00'],
  flag: ['true', 'FALSE', '', 'True'],
  yes: ['yes', 'no', 'yes', ''],
  nothing: ['', '', '', ''],
  same: ['a', 'a', 'a', 'a'],
  list: ['"[""a"",""b""]"', '[]', '', '"[""c""]"'],
  struct: ['"{""x"":1,""y"":""z""}"', '"{""x"":null}"', '', '"{""x"":2}"'],
  notJson: ['[1]', '[1', '', '{}'],
  record_no: ['a', 'b', 'c', 'd'],
  text: ['"a,b\n""c"""', 'é😀', ' padded ', '1'],
  long: ['x'.repeat(300), '', 'y', 'z'],
  veryLong: [`"${'word, '.repeat(20_000)}"`, '', 'y', 'z'],
}

it('what init declares, load takes as it is: no row of a hard CSV file is rejected', async () => {
  const columns = Object.entries(hardColumns)
  const rows = [0, 1, 2, 3].map((row) => columns.map(([, values]) => values[row]).join(','))
  put('hard.csv', `${columns.map(([name]) => name).join(',')}\n${rows.join('\r\n')}\r\n`)
  await run('init', 'hard.csv')
  await run('apply', '-f', 'hard.yaml')
  expect(await run('load', 'hard', 'hard.csv')).toContain('4 created, 0 updated, 0 unchanged, 0 rejected')
  const [first] = await listed('hard', '--where', 'recordNo eq 1')
  expect(first).toMatchObject({
    zip: '01234',
    phone: '+4930123',
    big: '9007199254740993',
    huge: '99999999999999999999',
    groECm: '12.50',
    tiny: 1e-9,
    negativeZero: '-0',
    moment: '2024-02-29T10:00:00Z',
    flag: true,
    list: ['a', 'b'],
    struct: { x: 1, y: 'z' },
    recordNo2: 'a',
    text: 'a,b\n"c"',
  })
})

it('the same holds for NDJSON, with lists and objects', async () => {
  const lines = [
    {
      id: '9007199254740993',
      n: 1,
      big: 3e9,
      half: 0.5,
      either: 5,
      price: '12.50',
      zip: '01234',
      on: '2024-02-29',
    },
    { id: '1', n: null, big: 1, half: 1e300, either: '6', price: '1', zip: '1', tags: ['a'], at: { x: 1.5 } },
    {
      id: '2',
      tags: [],
      flag: false,
      names: [
        { first: 'A', last: 'B' },
        { first: 'C', born: '2000-01-01' },
      ],
    },
  ]
  put('things.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await run('init', 'things.ndjson')
  await run('apply', '-f', 'things.yaml')
  expect(await run('load', 'things', 'things.ndjson')).toContain(
    '3 created, 0 updated, 0 unchanged, 0 rejected',
  )
  const definition = JSON.parse(await run('describe', 'things', '-o', 'json')) as object
  expect(definition).toMatchObject({
    objectTypes: [
      {
        primaryKey: 'id',
        properties: {
          id: { type: 'long' },
          n: { type: 'integer' },
          big: { type: 'long' },
          half: { type: 'double' },
          either: { type: 'long' },
          price: { type: 'decimal' },
          zip: { type: 'string' },
          on: { type: 'date' },
          tags: { type: { array: 'string' } },
          at: { type: { struct: { x: { type: 'double' } } } },
          names: {
            type: {
              array: {
                struct: { first: { type: 'string' }, last: { type: 'string' }, born: { type: 'date' } },
              },
            },
          },
        },
      },
    ],
  })
})

it('asks at a terminal, and with y applies and loads', async () => {
  put('asked.csv', 'id,name\n1,x\n2,y\n')
  const no = await octavo.run(['init', 'asked.csv'], typing('n\n'))
  expect(no).toMatchObject({ code: 0, err: 'Apply it and load asked.csv now? [y/N] ' })
  expect(no.out).toContain('Next:\n  octavo apply -f asked.yaml\n  octavo load asked asked.csv\n')
  expect(await octavo.run(['describe', 'asked'])).toMatchObject({ code: 2 })
  const yes = await octavo.run(['init', 'asked.csv', '--force'], typing('y\n'))
  expect(yes.out).toContain('= ontology served\n+ type asked\n')
  expect(yes.out).toContain('Loaded 2 objects of asked')
})

it('from a CSV file of 100,000 rows to a filtered, sorted page in four commands', async () => {
  const states = ['open', 'shipped', 'closed']
  const row = (i: number) =>
    `${i},Customer ${i % 997},${states[i % 3]},2024-0${(i % 9) + 1}-${10 + (i % 18)},${i / 4}\n`
  put(
    'orders.csv',
    `Order ID,Customer Name,Status,Ordered On,Total\n${Array.from({ length: 100_000 }, (_, i) => row(i)).join('')}`,
  )
  const said = await run('init', 'orders.csv')
  expect(said).toContain('Looked at 100,000 rows of orders.csv, all of them.')
  await run('apply', '-f', 'orders.yaml')
  expect(await run('load', 'orders', 'orders.csv')).toContain(
    '100,000 created, 0 updated, 0 unchanged, 0 rejected',
  )
  const page = await listed('orders', '--where', 'status eq open', '--order-by', 'total:desc', '--limit', '5')
  expect(page.map(({ orderId }) => orderId)).toEqual([99_999, 99_996, 99_993, 99_990, 99_987])
}, 240_000)
