import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { openConnection } from '../connection/connection.ts'
import { makeExample } from '../local/make-example.ts'
import { textWidth } from '../output/text-width.ts'
import { serveOctavo } from '../../test/support/served-octavo.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'

const octavo = forAllTests(serveOctavo)
const folder = temporaryFolder()

beforeAll(async () => {
  const stopAsked = new AbortController().signal
  await makeExample(openConnection(octavo, { fetch: globalThis.fetch, stopAsked }))
})

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

describe('list', () => {
  it('shows a table within 80 columns, and says how many there were', async () => {
    const { code, out, err } = await octavo.run(
      'list',
      'employee',
      '--order-by',
      'startedOn:desc',
      '--limit',
      '3',
    )
    expect(code).toBe(0)
    expect(out).toMatchInlineSnapshot(`
      "employeeId  fullName        department  startedOn   name
            1012  Clara Duarte    Archive     2024-01-08  Clara Duarte
            1008  Daniel Brandt   Loans       2023-04-17  Daniel Brandt
            1004  Tomás Ferreira  Bindery     2022-06-01  Tomás Ferreira
      "
    `)
    for (const line of lines(out)) expect(textWidth(line)).toBeLessThanOrEqual(80)
    expect(err).toBe('The first 3; there are more: use a larger --limit, or octavo export employee.\n')
    expect(await octavo.run('list', 'employee')).toMatchObject({ code: 0, err: '12 objects.\n' })
  })

  it('reads page by page, in one state if asked to', async () => {
    const { out } = await octavo.run('list', 'employee', '--page-size', '5', '--snapshot', '--json')
    const keys = lines(out).map((line) => (JSON.parse(line) as { primaryKey: string }).primaryKey)
    expect(keys).toEqual(Array.from({ length: 12 }, (_, i) => String(1001 + i)))
  })

  it('takes conditions that must all hold', async () => {
    const where = ['--where', 'department eq Maps', '--where', 'employeeId gt 1009']
    expect(lines((await octavo.run('list', 'employee', ...where)).out).slice(1)).toEqual([
      '      1010  Ruth Abrams  Maps        2018-10-01  Ruth Abrams',
    ])
  })

  it('names the types that exist, and the one that was probably meant', async () => {
    expect(await octavo.run('list', 'employe')).toEqual({
      code: 1,
      out: '',
      err: 'There is no object type employe; did you mean employee? There are: employee.\n',
    })
    expect(JSON.parse((await octavo.run('list', 'employe', '--json')).err)).toMatchObject({
      errorName: 'ObjectTypeNotFound',
      parameters: { objectType: 'employe', didYouMean: ['employee'] },
      exitCode: 1,
    })
  })

  it('passes on what the service advises', async () => {
    const ran = await octavo.run('list', 'employee', '--where', 'startedOn lt 2012-01-01')
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('add "searchable": true') })
  })
})

describe('search', () => {
  it('takes a query as JSON, from a file, or as conditions', async () => {
    const query = '{"type":"keyword","query":"maps"}'
    writeFileSync(join(folder, 'query.json'), query)
    const byJson = await octavo.run('search', 'employee', '--query', query)
    expect(lines(byJson.out)).toHaveLength(3)
    const byFile = await octavo.runWith(
      { currentFolder: folder },
      'search',
      'employee',
      '--query',
      '@query.json',
    )
    expect(byFile).toEqual(byJson)
    const byName = await octavo.run('search', 'employee', '--where', 'name:lastName eq Okafor', '--json')
    expect(JSON.parse(byName.out)).toMatchObject({ title: 'Mira Okafor' })
  })

  it.each([
    [[], 'give either --query or --where'],
    [['--query', '{'], '--query is not valid JSON'],
    [['--query', '{"type":"equals"}'], 'query.type must be one of empty, eq'],
    [['--query', '@nothing.json'], 'There is no file nothing.json'],
  ])('refuses %j with exit code 2', async (flags, sentence) => {
    const ran = await octavo.run('search', 'employee', ...flags)
    expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) })
  })
})

interface Counted {
  readonly metrics: readonly [{ readonly value: number }]
}

describe('count', () => {
  it('counts all objects, those that meet a condition, and those of each value', async () => {
    expect((await octavo.run('count', 'employee')).out).toBe('12\n')
    expect((await octavo.run('count', 'employee', '--where', 'department eq Maps', '--json')).out).toMatch(
      /^\{"totalCount":"\d+"\}\n$/,
    )
    const { code, out, err } = await octavo.run('count', 'employee', '--by', 'department', '--limit', '2')
    expect(code).toBe(0)
    expect(lines(out)).toHaveLength(3)
    expect(lines(out)[0]).toMatch(/^department +count$/)
    expect(err).toMatch(/^\d+ objects, and \d+ of other values: use a larger --limit.\n$/)
    const each = lines((await octavo.run('count', 'employee', '--by', 'department', '--json')).out)
    const counts = each.map((line) => (JSON.parse(line) as Counted).metrics[0].value)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  })

  it('names the property that was probably meant', async () => {
    const { code, err } = await octavo.run('count', 'employee', '--by', 'departmant')
    expect(code).not.toBe(0)
    expect(err).toContain('department')
  })
})

describe('get', () => {
  it('shows one object, as lines or as JSON', async () => {
    expect((await octavo.run('get', 'employee', '1004')).out).toMatchInlineSnapshot(`
      "employeeId  1004
      fullName    Tomás Ferreira
      department  Bindery
      startedOn   2022-06-01
      name        Tomás Ferreira
      "
    `)
    expect(JSON.parse((await octavo.run('get', 'employee', '1004', '--json')).out)).toMatchObject({
      properties: { name: [{ firstName: 'Tomás', lastName: 'Ferreira' }] },
    })
    expect((await octavo.run('get', 'employee', '1004', '-o', 'yaml')).out).toContain(
      'properties:\n  employeeId: 1004\n  fullName: Tomás Ferreira\n',
    )
    expect((await octavo.run('get', 'employee', '1004', '-o', 'json')).out).toContain(
      '\n    "employeeId": 1004,\n',
    )
    expect(await octavo.run('get', 'employee', '7')).toMatchObject({
      code: 1,
      err: 'There is no employee with the key 7 that you can see: check the key.\n',
    })
  })
})

describe('status', () => {
  it('shows readiness, ontologies and types within 80 columns', async () => {
    const { code, out } = await octavo.run('status')
    expect(code).toBe(0)
    const steady = out
      .replace(octavo.url, 'http://127.0.0.1:8080')
      .replace(/in \d+ ms/, 'in 5 ms')
      .replace(/Octavo \d+[.]\d+[.]\d+/, 'Octavo 1.2.3')
      .replace(/(now|\d+ s ago) */, '2 s ago      ')
    expect(steady).toMatchInlineSnapshot(`
      "http://127.0.0.1:8080 is ready: Octavo 1.2.3, answered in 5 ms.

      example: you are owner; API family example
      TYPE      OBJECTS  VERSION  LAST COMMIT  PREPARING
      employee       12        1  2 s ago      -
      "
    `)
    for (const line of lines(out)) expect(textWidth(line)).toBeLessThanOrEqual(80)
  })

  it('is one JSON value for machines', async () => {
    expect(JSON.parse((await octavo.run('status', '--json')).out)).toMatchObject({
      status: 'ready',
      serviceVersion: expect.any(String),
      ontologies: [
        { apiName: 'example', role: 'owner', objectTypes: [{ apiName: 'employee', objectCount: 12 }] },
      ],
    })
  })

  it('needs no token to say whether the service is ready', async () => {
    const ran = await octavo.runWith({ environment: {} }, 'status', '--url', octavo.url)
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('Give a token to see what it holds.') })
  })
})

it('types writes a file that holds every type', async () => {
  const ran = await octavo.runWith({ currentFolder: folder }, 'types', '--out', 'ontology.ts')
  expect(ran).toMatchObject({ code: 0, out: 'Wrote 1 object type of example to ontology.ts.\n' })
  const written = readFileSync(join(folder, 'ontology.ts'), 'utf8')
  expect(written).toContain('employee')
  expect((await octavo.run('types')).out).toBe(written)
})
