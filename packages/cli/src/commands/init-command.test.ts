// What init guesses and refuses. That a load takes what it guessed is in init-command.pg.test.ts.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testContext } from '../../test/support/test-context.ts'
import { readDefinitionFile } from '../definitions/read-definition-file.ts'
import { runProgram } from '../program.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'

const folder = temporaryFolder()

async function init(name: string, text: string | Buffer, ...flags: readonly string[]) {
  await writeFile(join(folder, name), text)
  const { context, written, noted } = testContext({ currentFolder: folder })
  const code = await runProgram(['init', name, ...flags], context)
  return { code, out: written(), err: noted() }
}

const yamlOf = async (name: string, text: string, ...flags: readonly string[]): Promise<string> => {
  const { code, out, err } = await init(name, text, '--out', '-', ...flags)
  expect(code, err).toBe(0)
  expect(readDefinitionFile('made.yaml', out)).toMatchObject({ kind: 'read' })
  return out
}

it('writes a definition with the reason for each guess, and says what to type next', async () => {
  const csv = `Order ID,Customer,zip,orderedOn,total,paid
1,Ada,01234,2024-01-31,12.50,true
2,Grace,00017,2024-02-01,3,FALSE
3,,10115,2024-02-01,0.99,true
`
  expect((await init('orders.csv', csv)).out).toMatchInlineSnapshot(`
    "Looked at 3 rows of orders.csv, all of them.

    PROPERTY   TYPE     USE                     WHY
    orderId    integer  key                     3 of 3 values are unique; named lik…
    customer   string   search, sort            text
    zip        string   required, search, sort  numbers with leading zeros or a plu…
    orderedOn  date     required, search, sort  only dates
    total      decimal  required, search, sort  numbers with decimals, kept exactly
    paid       boolean  required, search        only true and false

    Wrote orders.yaml.
    Next:
      octavo apply -f orders.yaml
      octavo load orders orders.csv
      octavo list orders --order-by orderedOn:desc --limit 10
    "
  `)
  expect(await readFile(join(folder, 'orders.yaml'), 'utf8')).toMatchInlineSnapshot(`
    "# yaml-language-server: $schema=https://unpkg.com/@octavo/cli/definition-file.schema.json
    # Guessed by octavo init from orders.csv (3 rows, all of them).
    # Look at it before you apply it: names, types and the key cannot change afterwards.

    ontology:
      apiName: data # a new one
      displayName: Data
      apiFamilies: [ data ]
    objectTypes:
      - apiName: orders
        displayName: Orders
        primaryKey: orderId # 3 of 3 values are unique; named like a key; so could be zip
        titleProperty: orderId # names an object in lists
        properties:
          orderId: { type: integer } # column "Order ID"; whole numbers
          customer: { type: string, searchable: true, sortable: true } # column "Customer"; text; missing in 1 row
          zip: { type: string, required: true, searchable: true, sortable: true } # numbers with leading zeros or a plus sign, which a number would lose
          orderedOn: { type: date, required: true, searchable: true, sortable: true } # only dates
          total: { type: decimal, required: true, searchable: true, sortable: true } # numbers with decimals, kept exactly
          paid: { type: boolean, required: true, searchable: true } # only true and false
    "
  `)
})

it('does not overwrite a definition unless forced', async () => {
  await writeFile(join(folder, 'kept.yaml'), 'mine')
  expect(await init('kept.csv', 'id\n1\n')).toMatchObject({
    code: 2,
    err: 'kept.yaml is already there: give --force to overwrite it, or another name with --out.\n',
  })
  expect(await readFile(join(folder, 'kept.yaml'), 'utf8')).toBe('mine')
  expect(await init('kept.csv', 'id\n1\n', '--force')).toMatchObject({ code: 0 })
})

it('does not apply anything unasked without a terminal', async () => {
  const { context, noted } = testContext({
    currentFolder: folder,
    environment: { OCTAVO_URL: 'http://127.0.0.1:1', OCTAVO_TOKEN: 'oct_x' },
    fetch: async (_url, request) => {
      expect(request?.method ?? 'GET').toBe('GET')
      return Response.json({ data: [] })
    },
  })
  await writeFile(join(folder, 'quiet.csv'), 'id\n1\n')
  expect(await runProgram(['init', 'quiet.csv'], context), noted()).toBe(0)
})

describe('the key', () => {
  it.each([
    ['id beats others', 'code,name,id\na,x,1\nb,y,2\n', 'id'],
    ['the key of the type beats other ids', 'customerId,orderId\n1,7\n2,8\n', 'orderId'],
    ['a name like a key beats the first column', 'name,ISO Code\nx,a\ny,b\n', 'isoCode'],
    ['else the first column without repetitions', 'kind,name,city\na,x,1\na,y,2\n', 'name'],
    ['a missing value excludes a column', 'id,name\n,x\n2,y\n', 'name'],
  ])('%s', async (_, csv, key) => {
    expect(await yamlOf('orders.csv', csv)).toContain(`primaryKey: ${key} #`)
  })

  it('without a candidate, says which columns come closest and what to do', async () => {
    const csv = 'day,place,note\n2024-01-01,A,\n2024-01-01,A,\n2024-01-02,B,x\n'
    expect(await init('visits.csv', csv)).toEqual({
      code: 2,
      out: '',
      err: `visits.csv has no column that could be the key: none has a different value in each of the 3 rows.
The closest are
  day: 1 row repeats the value of an earlier one
  place: 1 row repeats the value of an earlier one
  note: it has no value in 2 rows
Add a column that tells every row from all others, for example by joining several columns.
If rows with the same day are the same object, add --key 'day'; a load keeps the last of them.
`,
    })
  })

  it('can be chosen, and then its repetitions are shown', async () => {
    const { out } = await init('places.csv', 'place,n\nA,1.5\nA,2\n', '--key', 'place')
    expect(out).toContain('1 row has the same place as an earlier one: a load keeps the last of them.')
    expect(await init('x.csv', 'a,b\n1,1\n', '--key', 'a,b')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--key takes one column'),
    })
    expect(await init('x.csv', 'a,b\n1,\n', '--key', 'b')).toMatchObject({
      code: 2,
      err: expect.stringContaining('b cannot be the key: it has no value in 1 row'),
    })
  })
})

describe('types', () => {
  const lineOf = async (values: readonly string[], flags: readonly string[] = []): Promise<string> => {
    const csv = `id,x\n${values.map((value, i) => `${i + 1},${value}\n`).join('')}`
    const yaml = await yamlOf('types.csv', csv, ...flags)
    return yaml.split('\n').find((line) => line.startsWith('      x:')) ?? ''
  }
  it.each([
    [['1', '2'], 'type: integer'],
    [['1', '3000000000'], 'type: long'],
    [['1', '9007199254740993'], 'type: long'],
    [['1', '99999999999999999999'], 'type: decimal'],
    [['1', '2.50'], 'type: decimal'],
    [['1.5', '1e-9'], 'type: double'],
    [['1.5', '', '2'], 'type: decimal, searchable'],
    [['01234', '99999'], 'type: string'],
    [['+4930123', '+4940456'], 'type: string'],
    [['2024-01-31', '2024-02-01'], 'type: date'],
    [['31.01.2024', '01.02.2024'], 'dates in a form that the service does not take'],
    [['2024-01-31', '2024-02-01T00:00:00Z'], 'dates with and without a time'],
    [['2024-01-31T10:00:00Z', '2024-01-31T10:00:00+02:00'], 'type: timestamp'],
    [['true', 'False'], 'type: boolean'],
    [['1', '2', 'n/a'], '2 numbers, but also "n/a" (line 4)'],
    [['', ''], 'no values in the file'],
    [['"[1,2]"', '[3]'], 'type: { array: integer }'],
    [
      ['"{""a"":""x"",""b"":1}"', '"{""a"":null}"'],
      'type: { struct: { a: { type: string }, b: { type: integer } } }',
    ],
  ])('%j is declared as %s', async (values, text) => {
    expect(await lineOf(values)).toContain(text)
  })

  it('what was not looked at may have no value, so nothing is required', async () => {
    expect(await lineOf(['1', '2'])).toContain('required')
    const large = Array.from({ length: 200_000 }, (_, i) => String(i % 7))
    expect(await lineOf(large, ['--rows', '10'])).not.toContain('required')
  })

  it('at most sixteen properties get indexes', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `p${i}`)
    const row = (shift: number) => names.map((_, i) => i + shift).join(',')
    const yaml = await yamlOf('wide.csv', `id,${names.join(',')}\n1,${row(0)}\n2,${row(1)}\n`)
    expect(yaml.match(/searchable: true/g)).toHaveLength(16)
    expect(yaml).toContain('not searchable: 16 others are')
  })
})

describe('refuses', () => {
  it.each([
    ['an empty file', 'a.csv', '', 'a.csv is empty'],
    ['only a header', 'a.csv', 'id,name\n', 'a.csv has a header but no rows'],
    ['a column twice', 'a.csv', 'id,name,id\n1,x,1\n', 'a.csv, line 1: columns 1 and 3 are both named id'],
    ['another delimiter', 'a.csv', 'id;name\n1;x\n', `add --delimiter ';'`],
    ['an unknown format', 'a.dat', 'id\n1\n', 'Add --format ndjson or --format csv'],
    ['a name that makes no type', '日.csv', 'id\n1\n', 'give one with --type'],
    ['an empty NDJSON file', 'a.ndjson', '\n', 'is empty'],
    ['names that no property has', 'a.ndjson', '{"my id":1}\n', '"my id" (for example myId)'],
    ['names that differ in case', 'a.ndjson', '{"id":1,"ID":2}\n', '"ID"'],
    ['mixed values', 'a.ndjson', '{"id":1,"x":"a"}\n{"id":2,"x":5}\n', 'x holds numbers and strings'],
    ['rounded keys', 'a.ndjson', '{"id":9007199254740993}\n{"id":1}\n', 'id holds whole numbers beyond 2^53'],
    ['lists in lists', 'a.ndjson', '{"id":1,"x":[[1]]}\n', 'x has a list inside a list on line 1'],
  ])('%s', async (_, name, text, sentence) => {
    const { code, out, err } = await init(name, text, '--out', '-')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
  })
})

it('counts rows that cannot be read', async () => {
  const { out } = await init('rows.csv', 'id,name\n1,x\n2\n3,z\n', '--force')
  expect(out).toContain('1 row cannot be read, the first on line 3')
})

it.each([
  [
    'latin.csv',
    Buffer.from('id,name\r\n1,caf\xe9\r\n', 'latin1'),
    'line 2 must be UTF-8: byte 6 of the line is E9; convert the file, for example with iconv -f WINDOWS-1252 -t UTF-8.',
  ],
  [
    'list.ndjson',
    '[{"id":1},{"id":2}]',
    "is a list: write each object on its own line, for example with jq -c '.[]'.",
  ],
])('of %s no row can be read: it says why, and not that there are none', async (name, text, why) => {
  for (const flags of [[], ['--key', 'id']]) {
    const { code, err } = await init(name, text, ...flags)
    expect(code).toBe(2)
    expect(err).toContain(`${name} has no row that can be read: line`)
    expect(err).toContain(why)
  }
})
